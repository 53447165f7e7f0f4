//! Posts that say so themselves: schema.org's `Question` and `Answer`, `DiscussionForumPosting` and `Comment`, with who wrote them,
//! when, and what they say.
//!
//! What is marked up so is believed of the posts that shapes tell. Questions and answers are told by it alone, where each answer that it
//! names has a text on the page: large sites of questions have remarks below each answer that are signed, short and many, and look
//! more like the posts of a thread than the answers do.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::outline::{Outline, is_seen};
use super::signed::without_sign;
use super::{Post, Quote, quotes, times};
use crate::characters::folded;
use crate::page::Page;

/// A name has at most so many characters.
const NAME: usize = 60;

/// What is marked up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Question,
    Answer,
    /// A post of a forum, or a remark.
    Other,
}

/// What the markup says of one post.
struct Draft {
    element: NodeId,
    kind: Kind,
    /// The element with its words.
    text: Option<NodeId>,
    author: Option<String>,
    time: Option<(Option<String>, String)>,
}

/// The question and its answers, in page order; nothing where the markup does not tell of both, or of texts that are not there.
pub(super) fn read(outline: &Outline<'_>) -> Option<Vec<Post>> {
    let drafts = drafts(outline.page);
    let answers = drafts.iter().filter(|draft| draft.kind == Kind::Answer).count();
    let mut posts: Vec<Post> = Vec::new();
    let mut answered = 0;
    for draft in drafts.iter().filter(|draft| draft.kind != Kind::Other) {
        // Questions beside this one are named, and not put.
        let Some(post) = draft.post(outline) else { continue };
        answered += usize::from(draft.kind == Kind::Answer);
        posts.push(post);
    }
    // A question reaches up to its first answer, which stands in it.
    for at in 1..posts.len() {
        let next = posts[at].blocks.start;
        let before = &mut posts[at - 1].blocks;
        before.end = before.end.min(next).max(before.start);
    }
    (answered > 0 && answered == answers && posts.len() > 1).then_some(posts)
}

/// Puts the question first that the markup tells of, where none of the posts holds it: it may stand alone in its shape, and then what
/// repeats beside it, and is signed by nobody, are boxes of the site.
pub(super) fn put_question(outline: &Outline<'_>, posts: &mut Vec<Post>) {
    let drafts = drafts(outline.page);
    let mut questions = drafts.iter().filter(|draft| draft.kind == Kind::Question && draft.text.is_some());
    // Several are what is often asked, or what others asked.
    let (Some(question), None) = (questions.next(), questions.next()) else { return };
    let Some(mut question) = question.post(outline) else { return };
    let is_held = |post: &Post| post.body.iter().any(|place| question.body.binary_search(place).is_ok());
    if posts.iter().any(is_held) {
        return;
    }
    posts.retain(|post| post.author.is_some() || post.time.is_some() || post.time_text.is_some());
    if let Some(next) = posts.iter().map(|post| post.blocks.start).find(|next| *next > question.blocks.start)
    {
        question.blocks.end = question.blocks.end.min(next);
    }
    posts.insert(0, question);
}

/// Takes over who wrote posts and when, where the markup around what they say tells it.
pub(super) fn settle(outline: &Outline<'_>, posts: &mut [Post]) {
    let drafts = drafts(outline.page).into_iter();
    let mut told: Vec<(Range<usize>, Draft)> =
        drafts.filter_map(|draft| Some((outline.blocks_of(draft.text?), draft))).collect();
    told.retain(|(blocks, _)| !blocks.is_empty());
    told.sort_by_key(|(blocks, _)| blocks.start);
    for post in posts {
        let Some(first) = post.body.first() else { continue };
        let at = told.partition_point(|(blocks, _)| blocks.start <= *first);
        let Some((_, draft)) =
            at.checked_sub(1).map(|at| &told[at]).filter(|(blocks, _)| blocks.contains(first))
        else {
            continue;
        };
        draft.sign(post);
    }
}

fn drafts(page: &Page<'_>) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    // The things around the current place, and which of them are drafts.
    let mut scopes: Vec<(NodeId, Option<usize>)> = Vec::new();
    for step in page.dom().root().walk() {
        match step {
            Step::Enter(node) if node.is_element() => {
                // What an element tells is told of the thing that it stands in, also where it begins one itself.
                if let Some(draft) = scopes.last().and_then(|(_, draft)| *draft) {
                    drafts[draft].take(node);
                }
                if node.attribute_named(Name::ITEMSCOPE).is_some() {
                    let kind = node.attribute_named(Name::ITEMTYPE);
                    let kind = kind.as_deref().and_then(|kind| kind.trim().rsplit('/').next()).unwrap_or("");
                    let kind = match kind {
                        "Question" => Some(Kind::Question),
                        "Answer" => Some(Kind::Answer),
                        "DiscussionForumPosting" | "SocialMediaPosting" | "Comment" | "UserComments" => {
                            Some(Kind::Other)
                        }
                        _ => None,
                    };
                    scopes.push((node.id(), kind.map(|_| drafts.len())));
                    drafts.extend(kind.map(|kind| Draft::new(node.id(), kind)));
                }
            }
            Step::Enter(_) => {}
            Step::Leave(node) => {
                scopes.pop_if(|(scope, _)| *scope == node.id());
            }
        }
    }
    drafts
}

impl Draft {
    fn new(element: NodeId, kind: Kind) -> Draft {
        Draft { element, kind, text: None, author: None, time: None }
    }

    /// Takes over what an element of it tells.
    fn take(&mut self, node: NodeRef<'_>) {
        let Some(told) = node.attribute_named(Name::ITEMPROP) else { return };
        for name in told.split_ascii_whitespace() {
            match name {
                "text" | "articleBody" if self.text.is_none() => self.text = Some(node.id()),
                "author" if self.author.is_none() => self.author = writer(node),
                "dateCreated" | "datePublished" if self.time.is_none() => {
                    let words = folded(&node.text_content());
                    let exact = [Name::DATETIME, Name::CONTENT]
                        .into_iter()
                        .find_map(|name| node.attribute_named(name))
                        .and_then(|told| times::read_beside(&told, &words));
                    self.time = Some((exact.or_else(|| times::read(&words)), words));
                }
                _ => {}
            }
        }
    }

    fn post(&self, outline: &Outline<'_>) -> Option<Post> {
        let page = outline.page;
        let text = page.node(self.text?);
        let mut post = Post::new(self.element, outline.blocks_of(self.element));
        let is_said = |place: &usize| page.blocks().get(*place).is_some_and(is_seen);
        post.body = outline.blocks_of(text.id()).filter(is_said).collect();
        if outline.words_in(outline.blocks_of(text.id())) == 0 || post.body.is_empty() {
            return None;
        }
        let mut steps = text.walk();
        while let Some(step) = steps.next() {
            if let Step::Enter(node) = step
                && node.is_element()
                && node != text
                && outline.is_quote(node)
            {
                let blocks = outline.blocks_of(node.id()).filter(is_said).collect();
                post.quotes.push(Quote { author: quotes::told(node), blocks });
                steps.skip_below();
            }
        }
        post.quotes.retain(|quote| !quote.blocks.is_empty());
        quotes::read(outline, &mut post);
        self.sign(&mut post);
        Some(post)
    }

    /// Who wrote a post, and when, as far as that is told.
    fn sign(&self, post: &mut Post) {
        if let Some(author) = &self.author {
            post.author = Some(author.clone());
        }
        if let Some((Some(time), words)) = &self.time {
            post.time = Some(time.clone());
            post.time_text = Some(words.clone()).filter(|words| !words.is_empty());
        }
    }
}

/// The name of the person that an element is about.
fn writer(node: NodeRef<'_>) -> Option<String> {
    let is_name = |below: &NodeRef<'_>| {
        below
            .attribute_named(Name::ITEMPROP)
            .is_some_and(|told| told.split_ascii_whitespace().any(|it| it == "name"))
    };
    let named = node.descendants().find(is_name).unwrap_or(node);
    let name = without_sign(match named.attribute_named(Name::CONTENT) {
        Some(content) => folded(&content),
        None => folded(&named.text_content()),
    });
    (!name.is_empty() && name.chars().count() <= NAME).then_some(name)
}

#[cfg(test)]
mod tests {
    use crate::page::Page;
    use crate::posts::find;
    use crate::posts::outline::{Outline, lines_of_times};

    fn person(name: &str, time: &str) -> String {
        format!(
            "<div class=info><time itemprop=dateCreated datetime='{time}'>once</time><div itemprop=author itemscope \
             itemtype='https://schema.org/Person'><a href=/u>{name}</a><span itemprop=name>{name}</span></div></div>"
        )
    }

    fn remarks(of: &str) -> String {
        let remark = |n: u32| {
            format!(
                "<li itemprop=comment itemscope itemtype='https://schema.org/Comment'><span itemprop=text>Remark {n} on {of}: I would \
                 not put it so, since the ferry does not run in winter at all.</span> <a href=/u/{n} itemprop=author>user{n}</a> \
                 <time itemprop=datePublished datetime='2026-03-0{n}T10:15:00Z'>Mar {n}</time></li>"
            )
        };
        format!("<ul>{}</ul>", (1..6).map(remark).collect::<String>())
    }

    fn page_of_questions() -> String {
        let answer = |n: u32| {
            format!(
                "<div itemprop=suggestedAnswer itemscope itemtype='https://schema.org/Answer'><div itemprop=text><blockquote><p>When \
                 does it run?</p></blockquote><p>Answer {n}: from May on, twice a day.</p></div>{}{}</div>",
                person(&format!("Ben {n}"), &format!("2026-03-0{n}T12:00:00Z")),
                remarks("the answer")
            )
        };
        format!(
            "<html itemscope itemtype='https://schema.org/QAPage'><body><div itemprop=mainEntity itemscope \
             itemtype='https://schema.org/Question'><h1 itemprop=name>The ferry</h1><div itemprop=text><p>When does it run on \
             Sundays?</p></div>{}{}{}{}</div>",
            person("Ada", "2026-03-01T09:00:00Z"),
            remarks("the question"),
            answer(2),
            answer(3)
        )
    }

    #[test]
    fn remarks_were_posts_and_answers_were_not() {
        let html = page_of_questions();
        let page = Page::parse(&html);
        let posts = find(&page);
        let said: Vec<_> = posts.iter().map(|post| (post.author.as_deref(), post.text(&page))).collect();
        assert_eq!(
            said,
            [
                (Some("Ada"), "When does it run on Sundays?".to_owned()),
                (Some("Ben 2"), "When does it run?\nAnswer 2: from May on, twice a day.".to_owned()),
                (Some("Ben 3"), "When does it run?\nAnswer 3: from May on, twice a day.".to_owned()),
            ]
        );
        assert_eq!(posts[1].time.as_deref(), Some("2026-03-02T12:00:00Z"));
        assert_eq!((posts[1].quotes.len(), posts[0].quotes.len()), (1, 0));
        assert!(posts.windows(2).all(|pair| pair[0].blocks.end <= pair[1].blocks.start));
    }

    #[test]
    fn boxes_of_the_site_were_the_question() {
        let alike = "<div class=post><p>What to heed when you answer: read the question well, and be kind to who asks.</p></div>";
        let html = format!(
            "<html itemscope itemtype='https://schema.org/QAPage'><body class=viewthread>{alike}<div itemprop=mainEntity itemscope \
             itemtype='https://schema.org/Question'><h1 itemprop=name>The ferry</h1><div itemprop=text><p>When does it run on \
             Sundays?</p></div>{}</div>{alike}",
            person("Ada", "2026-03-01T09:00:00Z"),
        );
        let page = Page::parse(&html);
        let posts = find(&page);
        assert_eq!(posts.len(), 1);
        assert_eq!(posts[0].author.as_deref(), Some("Ada"));
        assert_eq!(posts[0].text(&page), "When does it run on Sundays?");
    }

    #[test]
    fn answers_whose_words_are_not_there_are_not_believed() {
        let html = page_of_questions().replacen("<div itemprop=text><blockquote>", "<div><blockquote>", 1);
        let page = Page::parse(&html);
        assert!(super::read(&Outline::of(&page, &lines_of_times(&page))).is_none());
    }

    #[test]
    fn those_who_were_answered_signed_the_answers() {
        let post = |n: u32, name: &str, answers: &str| {
            format!(
                "<li class=post itemprop=comment itemscope itemtype='http://schema.org/Comment'><meta itemprop=datePublished \
                 content='2026-03-0{n}T12:00:00.000Z'><strong itemprop=author itemscope itemtype='https://schema.org/Person'><meta \
                 itemprop=name content={name}><a href=/user/{name}>{name}</a></strong> <a href=/post/{n} class=parent>@{answers}</a>\
                 <div itemprop=text><p>From May on, twice a day, as far as number {n} knows.</p></div></li>"
            )
        };
        let html = format!(
            "<title>Ferries - Forum</title><ul>{}{}{}</ul>",
            post(1, "ada", "ben"),
            post(2, "ben", "ada"),
            post(3, "cora", "ada")
        );
        let page = Page::parse(&html).with_url("https://example.org/topic/1");
        let posts = find(&page);
        let signed: Vec<_> =
            posts.iter().map(|post| (post.author.as_deref(), post.time.as_deref())).collect();
        assert_eq!(
            signed,
            [
                (Some("ada"), Some("2026-03-01T12:00:00Z")),
                (Some("ben"), Some("2026-03-02T12:00:00Z")),
                (Some("cora"), Some("2026-03-03T12:00:00Z")),
            ]
        );
    }
}
