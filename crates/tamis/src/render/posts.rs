//! Where the posts of a thread begin among the pieces of a document, so that one sees it in every form.

use crate::document::{Document, Post};

/// What stands at a piece.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum At<'d> {
    /// This post begins; the number counts from 0.
    Begins(usize, &'d Post),
    /// It goes on, or there is none.
    GoesOn,
    /// The post before is over.
    Ends,
}

/// What stands at each of the pieces, of a document with two posts and more; else nothing.
pub(super) fn of(document: &Document) -> Vec<At<'_>> {
    if document.posts.len() < 2 {
        return Vec::new();
    }
    let mut next = document.posts.iter().enumerate().peekable();
    let mut open: Option<&Post> = None;
    let at = document.content.iter().map(|piece| {
        let mut begun = None;
        while let Some(post) = next.next_if(|(_, post)| post.span.start <= piece.span.start) {
            begun = Some(post);
        }
        if let Some((place, post)) = begun {
            open = Some(post);
            return At::Begins(place, post);
        }
        let is_behind = |post: &&Post| piece.blocks.first() > post.blocks.last() && !post.blocks.is_empty();
        match open.filter(is_behind) {
            Some(_) => {
                open = None;
                At::Ends
            }
            None => At::GoesOn,
        }
    });
    at.collect()
}

#[cfg(test)]
mod tests {
    use crate::{Extractor, Judgement, Options, Page};

    #[test]
    fn posts_ran_into_each_other() {
        let page = Page::parse(
            "<div class=post><a href=/u/1>Ada</a> <i>2026-03-01</i><p>When does the ferry run on Sundays?</p></div>\
             <div class=post><a href=/u/2>Ben</a> <i>2026-03-02</i>\
             <blockquote><p>Ada wrote:<p>When does the ferry run on Sundays?</blockquote>\
             <p>From May on, if there is no wind.</p></div>",
        );
        let bodies: Vec<usize> = page.posts().iter().flat_map(|post| post.body.clone()).collect();
        let judgement = Judgement::of((0..page.blocks().len()).map(|place| bodies.contains(&place)));
        let document = Extractor::new().document(&page, &judgement);
        assert_eq!(document.posts.len(), 2);
        assert_eq!(document.posts[1].own_text.as_deref(), Some("From May on, if there is no wind."));
        assert_eq!(document.posts[0].own_text, None);
        let options = Options::default();
        assert_eq!(
            document.to_text(&options),
            "When does the ferry run on Sundays?\n\nAda wrote:\nWhen does the ferry run on Sundays?\nFrom May on, if there is no wind.\n"
        );
        assert!(
            document
                .to_markdown(&options)
                .starts_with("When does the ferry run on Sundays?\n\n* * *\n\n> Ada wrote:")
        );
        let html = document.to_html(&options);
        assert!(
            html.contains("<article data-author=\"Ben\" data-time=\"2026-03-02\" data-reply-to=\"Ada\">")
        );
        assert_eq!(html.matches("<article").count(), html.matches("</article>").count());
    }
}
