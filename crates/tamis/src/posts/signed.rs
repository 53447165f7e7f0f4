//! Who wrote each post and which number it has, told by all posts together.
//!
//! In each post several short texts may be the name: a link, a bold word, a rank, a button. Posts of one thread are built
//! alike, so what stands at the same place in all of them is looked at together: a name differs from post to post, a
//! button does not; a number grows. Which blocks belong to a post and what it says is settled before and stays.

mod bare;

use std::collections::HashSet;

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::Post;
use super::classes::Class;
use super::labels::is_label;
use super::outline::{Outline, mix, names_writer};
use super::times;
use super::when;
use super::words::{NUMBER, PROFILE, has_word, leads_to_board, leads_to_file, number, number_in_line};
use crate::characters::folded;
use crate::hashing::{NumberMap, NumberSet};

/// Names have at most so many words and characters.
const WORDS: u32 = 5;
const CHARACTERS: usize = 40;
/// How many elements of a post are looked at.
const MOST: usize = 400;
/// A name that weighs less is not believed.
const ENOUGH: f32 = 2.2;

/// Marks the places of numbers that stand in what posts say.
const IN_BODY: u64 = 0x1B0D;
/// Marks the places of names beside pictures, how strongly these say that they are names, and how far up their box is looked for.
const PICTURE: u64 = 0x91C7;
const BESIDE_PICTURE: u8 = 2;
const PICTURE_UP: usize = 8;

/// What short texts of posts may be, by where they stand.
#[derive(Default)]
struct Gathered {
    names: NumberMap<u64, Vec<Short>>,
    numbers: NumberMap<u64, Vec<(usize, u32)>>,
    subjects: NumberSet<u64>,
}

/// A short text of a post.
struct Short {
    post: usize,
    text: String,
    /// How strongly its element says that it is a name, from 1 to 5.
    says: u8,
    /// How many others came before it in the post.
    order: usize,
    /// Does it only stand beside the writer's picture?
    is_beside: bool,
}

/// Puts the names and numbers into posts.
pub(super) fn settle(outline: &Outline<'_>, posts: &mut [Post], heads: &NumberMap<NodeId, NodeId>) {
    let starts: NumberSet<NodeId> = posts.iter().map(|post| post.element).collect();
    let mut gathered = Gathered::default();
    for (place, post) in posts.iter().enumerate() {
        for top in heads.get(&post.element).into_iter().chain([&post.element]) {
            let top = outline.page.node(*top);
            gather(outline, post, place, top, &starts, false, &mut gathered);
        }
    }
    let Gathered { mut names, numbers, subjects } = gathered;
    // Where one post says "Re: Rain", "Rain" is no name in another.
    names.retain(|key, _| !subjects.contains(key));
    settle_names(posts, names);
    posts.iter_mut().for_each(|post| without_name(outline, post));
    settle_numbers(posts, numbers);
    when::settle(outline, posts);
}

/// Puts the names into readers' comments below a text. A wrong name is worse than none here, and there may be only one
/// comment: what merely is a link or bold is believed of three and more, and only before what is said.
pub(super) fn settle_comments(outline: &Outline<'_>, posts: &mut [Post], starts: &NumberSet<NodeId>) {
    let mut gathered = Gathered::default();
    for (place, post) in posts.iter().enumerate() {
        gather(outline, post, place, outline.page.node(post.element), starts, true, &mut gathered);
    }
    let Gathered { mut names, subjects, .. } = gathered;
    names.values_mut().for_each(bare::without_common_words);
    bare::inner_names(&mut names);
    names.values_mut().for_each(bare::without_doubts);
    let weakest = if posts.len() < 3 { 2 } else { 1 };
    names.retain(|key, shorts| {
        !subjects.contains(key) && shorts.first().is_some_and(|short| short.says >= weakest)
    });
    settle_names(posts, names);
}

fn gather(
    outline: &Outline<'_>,
    post: &Post,
    place: usize,
    top: NodeRef<'_>,
    starts: &NumberSet<NodeId>,
    is_comment: bool,
    gathered: &mut Gathered,
) {
    let Gathered { names, numbers, subjects } = gathered;
    let page = outline.page;
    let said: HashSet<usize> = post.body.iter().copied().collect();
    // Remarks below a post are signed as well, unless the posts themselves are remarks.
    let has_class = |node: NodeRef<'_>| outline.class(node).has(Class::REMARKS);
    let is_remark = is_comment || has_class(top);
    let is_remarks = |node: NodeRef<'_>| {
        !is_remark
            && has_class(node)
            && !post.body.first().is_some_and(|first| outline.blocks_of(node.id()).contains(first))
    };
    let mut steps = top.walk();
    let mut order = 0;
    while let Some(step) = steps.next() {
        let Step::Enter(node) = step else { continue };
        if !node.is_element() {
            continue;
        }
        if order > MOST
            || (node != top
                && (starts.contains(&node.id())
                    || is_control(node)
                    || (is_comment && (node.is(Name::LABEL) || node.is(Name::FORM)))
                    || outline.is_parent(node)
                    || is_remarks(node)))
        {
            steps.skip_below();
            continue;
        }
        let text = page.measures(node).text;
        if text.words == 0
            && node.is(Name::A)
            && let Some((key, name)) = name_beside(outline, node, top)
        {
            let own = names.entry(key).or_default();
            if own.last().is_none_or(|last| last.post != place) {
                own.push(Short { post: place, text: name, says: BESIDE_PICTURE, order, is_beside: true });
            }
        }
        if !(1..=WORDS + 1).contains(&text.words) || text.characters > 60 || outline.is_quote(node) {
            continue;
        }
        let blocks = outline.blocks_of(node.id());
        let in_body = !blocks.is_empty() && blocks.clone().all(|block| said.contains(&block));
        order += 1;
        let around = node.parent().map_or(0, |parent| outline.shape[parent.id().index()]);
        let key = mix(around, outline.shape[node.id().index()]);
        let words = folded(&node.text_content());
        if let Some(number) = number_of(node, &words) {
            // What looks like one in the middle of the words must do so in most posts.
            let own = numbers.entry(if in_body { mix(key, IN_BODY) } else { key }).or_default();
            if own.last().is_none_or(|(last, _)| *last != place) {
                own.push((place, number));
            }
            continue;
        }
        // What the post says does not sign it, but where nothing parts them, its first line may be the name.
        let is_line = |block: usize| {
            let line = page.blocks().get(block).map_or("", |block| page.text(block));
            line == words || line.strip_suffix(words.as_str()).is_some_and(says_by)
        };
        let is_first = blocks.len() == 1 && blocks.start < post.blocks.start + 3 && is_line(blocks.start);
        let says = strength(outline, node);
        // Words of several lines are more than a name.
        if says == 0 || text.words > WORDS || blocks.len() > 1 || (in_body && !is_first) {
            continue;
        }
        // Links below a comment do something: "Reply to Ada".
        if is_comment && says == 1 && post.body.first().is_some_and(|first| blocks.start > *first) {
            continue;
        }
        let name = words.trim_matches(|c: char| ":：,，·|-–@".contains(c) || c.is_whitespace());
        let key = mix(key, u64::from(says));
        if is_answer(name) {
            subjects.insert(key);
        }
        if !may_be_name(name) {
            continue;
        }
        let own = names.entry(key).or_default();
        if own.last().is_none_or(|last| last.post != place) {
            own.push(Short { post: place, text: name.to_owned(), says, order, is_beside: false });
        }
    }
}

/// The line at the top of the box in which a picture leads to the profile of its writer: some forums write the name without a link.
fn name_beside(outline: &Outline<'_>, picture: NodeRef<'_>, top: NodeRef<'_>) -> Option<(u64, String)> {
    let href = picture.attribute_named(Name::HREF)?;
    if !has_word(&href, &PROFILE) || does_something(&href) {
        return None;
    }
    let inside = |node: &NodeRef<'_>| *node != top;
    let around = picture.ancestors().take(PICTURE_UP).take_while(inside);
    let blocks = around.map(|node| outline.blocks_of(node.id())).find(|blocks| !blocks.is_empty())?;
    let line = outline.page.blocks().get(blocks.start)?;
    let name = outline.page.text(line).trim();
    let is_short =
        line.measures.text.words <= WORDS && line.link_share() == 0.0 && !name.ends_with([':', '：']);
    let key = mix(outline.shape[line.element.index()], PICTURE);
    (is_short && may_be_name(name)).then(|| (key, name.to_owned()))
}

/// Buttons and their like.
fn is_control(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::BUTTON | Name::SELECT | Name::TEXTAREA | Name::SCRIPT | Name::STYLE))
}

/// How strongly an element says that it names the writer: 5 by its data, 4 by where it leads and its class, 3 by one of
/// them, 1 where it is only a link or bold.
fn strength(outline: &Outline<'_>, node: NodeRef<'_>) -> u8 {
    let class = outline.class(node);
    match names_writer(node, class) {
        4 => 5,
        3 => {
            let href = node.attribute_named(Name::HREF);
            let leads = href.as_deref().is_some_and(|href| has_word(href, &PROFILE) && !does_something(href));
            // A profile link whose address does something else is a button.
            match (node.is(Name::A), leads, class.has(Class::AUTHOR)) {
                (true, true, true) => 4,
                (true, false, _) if href.as_deref().is_some_and(does_something) => 0,
                _ => 3,
            }
        }
        2 => 2,
        // "Posted by <i>Ann</i>"; and the menu of a writer, where guests have no profile to link to.
        _ if follows_by(node) => 3,
        _ if node.attribute_named(Name::ID).is_some_and(|id| id.starts_with("postmenu_")) => 3,
        _ if node
            .attribute_named(Name::HREF)
            .is_some_and(|href| leads_to_board(&href) || leads_to_file(&href)) =>
        {
            0
        }
        _ => u8::from(node.is(Name::A) || node.is(Name::B) || node.is(Name::STRONG)),
    }
}

/// Does the text right before an element say that it was written by whom the element names?
fn follows_by(node: NodeRef<'_>) -> bool {
    let before = node.previous_sibling().filter(|it| !it.is_element());
    before.is_some_and(|it| says_by(&it.text()))
}

/// `by`, `Posted by:`, `作者：`.
fn says_by(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "by",
        "posted by",
        "written by",
        "started by",
        "author",
        "von",
        "geschrieben von",
        "par",
        "автор",
        "作者",
        "发帖人",
        "发表者",
    ];
    let end = text.trim_end_matches([':', '：', ' ', '\n', '\t', '\u{a0}']).trim_start();
    end.len() <= 24 && WORDS.contains(&end.to_lowercase().as_str())
}

/// Is a text the subject of an answer?
fn is_answer(text: &str) -> bool {
    const LEADS: [&str; 12] =
        ["re:", "re：", "aw:", "fw:", "fwd:", "rép:", "回复:", "回复：", "回覆:", "回覆：", "答复:", "답변:"];
    let start: String = text.chars().take(5).flat_map(char::to_lowercase).collect();
    LEADS.iter().any(|lead| start.starts_with(lead))
}

/// Does an address do something with a member, rather than show one?
fn does_something(href: &str) -> bool {
    const ACTIONS: [&str; 18] = [
        "action",
        "ajax",
        "compose",
        "do=add",
        "email",
        "follow",
        "login",
        "mailto",
        "message",
        "pm",
        "privmsg",
        "print",
        "register",
        "reply",
        "report",
        "search",
        "sendmessage",
        "viewpro",
    ];
    let small = href.to_ascii_lowercase();
    if small.contains("action=profile") || small.contains("action=show") {
        return false;
    }
    small.starts_with("javascript")
        || has_word(&small, &ACTIONS)
        || small.contains("do=thread")
        || small.contains("mod=spacecp")
}

/// May a short text be a name at all?
pub(super) fn may_be_name(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    // "Posts: 1,500", "[Next #986]"
    let counts = text.contains([':', '：', '#', '[', '»', '«', '→', '←', '|'])
        && text.contains(|c: char| c.is_ascii_digit());
    // "Ada 4,522": how often she wrote.
    let ends_with_count = text.rsplit_once(' ').is_some_and(|(_, last)| {
        last.contains(',') && last.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
    });
    // One letter stands for a picture of the writer.
    let is_letter = text.chars().count() == 1 && text.chars().all(|c| c < '\u{2e80}');
    letters > 0
        && !is_letter
        && text.chars().count() <= CHARACTERS
        && !counts
        && !ends_with_count
        && !text.contains("://")
        && !is_answer(text)
        // What it was written with.
        && !["客户端", "客戶端", "手机版", "小程序"].iter().any(|it| text.ends_with(it))
        && !text.ends_with(['?', '？', '!', '！', '。'])
        && !times::tells(text)
        && number(text).is_none()
        && !is_label(text)
}

/// The number that an element gives a post: by its words, or bare where its class or address speaks of the number.
fn number_of(node: NodeRef<'_>, words: &str) -> Option<u32> {
    if let Some(number) = number(words) {
        return Some(number);
    }
    let bare = words.trim_matches(|c: char| !c.is_ascii_digit());
    if bare.is_empty() || bare.len() > 6 || words.len() > bare.len() + 2 {
        return None;
    }
    let says = |name: Name| node.attribute_named(name).is_some_and(|value| has_word(&value, &NUMBER));
    (says(Name::CLASS) || says(Name::ID) || says(Name::ITEMPROP)).then(|| bare.parse().ok()).flatten()
}

/// The places are weighed; each post has the name at the weightiest place that it has.
fn settle_names(posts: &mut [Post], names: NumberMap<u64, Vec<Short>>) {
    let all = posts.len() as f32;
    let mut places: Vec<(f32, Vec<Short>)> = names
        .into_values()
        .map(|shorts| {
            let given = shorts.len() as f32;
            let distinct =
                shorts.iter().map(|short| short.text.as_str()).collect::<HashSet<_>>().len() as f32;
            let says = f32::from(shorts[0].says);
            let order = shorts.iter().map(|short| short.order).sum::<usize>() as f32 / given;
            let mut weight = says * 0.8 + 2.0 * given / all - 0.03 * order.min(40.0);
            // The same words in post after post are a label, unless one person wrote them all and data say so.
            if posts.len() >= 3 && given >= 3.0 {
                weight +=
                    if distinct == 1.0 { if says >= 4.0 { -1.0 } else { -4.0 } } else { distinct / given };
            }
            // A mere link is a name only where most posts have one, and other words in each.
            if says <= 1.0 && (given < 0.6 * all || (posts.len() >= 3 && distinct < 2.0)) {
                weight = 0.0;
            }
            // So is a line beside a picture.
            if shorts[0].is_beside && (given < 0.6 * all || distinct < 2.0) {
                weight = 0.0;
            }
            (weight, shorts)
        })
        .filter(|(weight, _)| *weight >= ENOUGH)
        .collect();
    // What weighs the same is told apart by its first words, so that the order of the map does not show.
    places.sort_by(|(one, own), (other, others)| {
        other.total_cmp(one).then_with(|| (own[0].post, own[0].order).cmp(&(others[0].post, others[0].order)))
    });
    let mut told: Vec<Option<String>> = vec![None; posts.len()];
    for (_, shorts) in places {
        for short in shorts {
            told[short.post].get_or_insert(short.text);
        }
    }
    for (post, told) in posts.iter_mut().zip(told) {
        match told {
            Some(name) => post.author = Some(name),
            None => post.author = post.author.take().map(without_sign).filter(|name| may_be_name(name)),
        }
    }
}

/// `@ann` is called Ann where others speak to her.
pub(super) fn without_sign(name: String) -> String {
    match name.strip_prefix('@') {
        Some(bare) if !bare.is_empty() => bare.to_owned(),
        _ => name,
    }
}

/// Leaves the name of the writer out of what a post says, where it stands above that.
fn without_name(outline: &Outline<'_>, post: &mut Post) {
    let line = post.body.first().and_then(|place| outline.page.blocks().get(*place));
    let is_name = line.is_some_and(|line| post.author.as_deref() == Some(outline.page.text(line).trim()));
    if is_name && post.body.len() > 1 {
        post.body.remove(0);
    }
}

/// Do numbers grow but for a few, none of them twice, and without great gaps?
fn is_nearly_row(row: &[(usize, u32)]) -> bool {
    let mut sorted: Vec<u32> = row.iter().map(|(_, number)| *number).collect();
    sorted.sort_unstable();
    let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
    let growing = row.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
    sorted.windows(2).all(|pair| pair[0] < pair[1])
        && (last - first) as usize <= 2 * row.len()
        && 10 * growing >= 7 * (row.len() - 1)
}

/// Numbers are those of the place where they grow, or fall, from post to post; what does neither counts something else.
fn settle_numbers(posts: &mut [Post], numbers: NumberMap<u64, Vec<(usize, u32)>>) {
    let each = |of: fn(&Post) -> Option<u32>| -> Vec<(usize, u32)> {
        posts.iter().enumerate().filter_map(|(place, post)| Some((place, of(post)?))).collect()
    };
    let lined = each(|post| post.number);
    let beside_times = each(|post| post.time_text.as_deref().and_then(number_in_line));
    let is_row = |row: &[(usize, u32)]| {
        row.len() == 1
            || row.windows(2).all(|pair| pair[0].1 < pair[1].1)
            || row.windows(2).all(|pair| pair[0].1 > pair[1].1)
    };
    // The answer that helped may stand on top, before its turn; and answers may stand below what they answer.
    let is_row = |row: &[(usize, u32)]| {
        is_row(row) || (row.len() > 3 && is_row(&row[1..])) || (row.len() > 3 && is_nearly_row(row))
    };
    let rows =
        numbers.into_values().chain([lined, beside_times]).filter(|row| !row.is_empty() && is_row(row));
    // One number among many posts is that of something else.
    let rows = rows.filter(|row| row.len() > 1 || posts.len() <= 2);
    let best = rows.max_by(|one, other| {
        one.len().cmp(&other.len()).then_with(|| other[0].1.cmp(&one[0].1)).then_with(|| other.cmp(one))
    });
    posts.iter_mut().for_each(|post| post.number = None);
    for (place, number) in best.into_iter().flatten() {
        posts[place].number = Some(number);
    }
}
