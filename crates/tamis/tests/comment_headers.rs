//! Who wrote a comment, when, and which comment it answers, on pages of the usual kinds.

#![allow(clippy::unwrap_used)]

use tamis::{Extractor, Page, assemble};

const TEXT: &str = "<h1>The river path</h1><p>A walk along the river, in the first warm week of the year: the path is dry \
    as far as the mill, and from there on it is not. Take boots, and something to eat, since the inn at the bridge is \
    closed until May and there is nothing else on the way but a shed.</p>";

/// Text, author, time, the words of the time, and the comment it answers.
type Expected<'a> = (&'a str, Option<&'a str>, Option<&'a str>, Option<&'a str>, Option<u32>);

#[track_caller]
fn check(html: &str, expected: &[Expected<'_>]) {
    let html = format!("<title>The river path</title>{TEXT}{html}");
    let comments = assemble::comments(&Page::parse(&html));
    let texts: Vec<String> = comments.iter().map(|it| it.to_text().trim_end().to_owned()).collect();
    let found: Vec<Expected<'_>> = comments
        .iter()
        .zip(&texts)
        .map(|(it, text)| {
            (text.as_str(), it.author.as_deref(), it.time.as_deref(), it.time_text.as_deref(), it.reply_to)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn wordpress_lists_nest_replies() {
    let comment = |id: u32, name: &str, hour: u32, text: &str, below: &str| {
        format!(
            "<li id=comment-{id} class='comment even depth-1'><article class=comment-body><footer class=comment-meta>\
             <div class='comment-author vcard'><img alt='' src=a.png><b class=fn><a href='https://{id}.example' rel='external \
             nofollow' class=url>{name}</a></b> <span class=says>says:</span></div><div class=comment-metadata>\
             <a href='#comment-{id}'><time datetime='2026-03-02T{hour}:15:00+00:00'>March 2, 2026 at {hour}:15</time></a>\
             </div></footer><div class=comment-content><p>{text}</p></div><div class=reply><a class=comment-reply-link \
             href='#r'>Reply</a></div></article>{below}</li>"
        )
    };
    let reply = comment(2, "Ben", 11, "Thank you for that, Ada!", "");
    let first =
        comment(1, "Ada Finch", 10, "The inn is open again.", &format!("<ol class=children>{reply}</ol>"));
    let last = comment(3, "Cem", 12, "Mud up to the knees on Sunday.", "");
    let html = format!("<div id=comments><h2>3 comments</h2><ol class=comment-list>{first}{last}</ol></div>");
    let at = ["2026-03-02T10:15:00Z", "2026-03-02T11:15:00Z", "2026-03-02T12:15:00Z"];
    let words = ["March 2, 2026 at 10:15", "March 2, 2026 at 11:15", "March 2, 2026 at 12:15"];
    check(
        &html,
        &[
            ("The inn is open again.", Some("Ada Finch"), Some(at[0]), Some(words[0]), None),
            ("Thank you for that, Ada!", Some("Ben"), Some(at[1]), Some(words[1]), Some(0)),
            ("Mud up to the knees on Sunday.", Some("Cem"), Some(at[2]), Some(words[2]), None),
        ],
    );
}

#[test]
fn words_around_a_name_are_no_part_of_it() {
    let comment = |name: &str, text: &str| {
        format!("<div class=comment><p class=comment-author>{name} says:</p><p>{text}</p></div>")
    };
    let [one, two] = [comment("Ada", "The inn is open again."), comment("Ben", "And the soup is good.")];
    check(
        &format!("<div id=comments><h3>2 comments</h3>{one}{two}</div>"),
        &[
            ("The inn is open again.", Some("Ada"), None, None, None),
            ("And the soup is good.", Some("Ben"), None, None, None),
        ],
    );
    // One comment does not show which word is the name.
    check(
        &format!("<div id=comments><h3>1 comment</h3>{one}</div>"),
        &[("The inn is open again.", None, None, None, None)],
    );
}

#[test]
fn threads_of_disqus_nest_posts_beside_what_they_say() {
    let post = |name: &str, time: &str, text: &str, below: &str| {
        format!(
            "<li class=post><div class=post-content><div class=post-body><header><span class=post-byline><span class='author \
             publisher-anchor-color'><a href='/by/{name}/'>{name}</a></span></span> <span class=post-meta><a class=time-ago \
             href='#c' title='{time}'>2 years ago</a></span></header><div class=post-message><p>{text}</p></div>\
             <footer><a href='#r'>Reply</a> <a href='#s'>Share</a></footer></div></div><ul class=children>{below}</ul></li>"
        )
    };
    let answer = post("Ben", "2024-03-02 11:40", "From May on, says the board at the bridge.", "");
    let posts = post("Ada", "2024-03-02 10:05", "Does anybody know when the inn opens?", &answer)
        + &post("Cem", "2024-03-03 08:02", "There is mud up to the knees.", "");
    check(
        &format!("<section id=disqus_thread><h3>3 Comments</h3><ul class=post-list>{posts}</ul></section>"),
        &[
            (
                "Does anybody know when the inn opens?",
                Some("Ada"),
                Some("2024-03-02T10:05"),
                Some("2 years ago"),
                None,
            ),
            (
                "From May on, says the board at the bridge.",
                Some("Ben"),
                Some("2024-03-02T11:40"),
                Some("2 years ago"),
                Some(0),
            ),
            (
                "There is mud up to the knees.",
                Some("Cem"),
                Some("2024-03-03T08:02"),
                Some("2 years ago"),
                None,
            ),
        ],
    );
}

#[test]
fn microdata_is_believed() {
    check(
        "<div><div itemscope itemtype='https://schema.org/Comment'><span class=user-rank>Old Hand</span> \
         <span itemprop=author itemscope itemtype='https://schema.org/Person'><span itemprop=name>Ada Finch</span></span> \
         <meta itemprop=datePublished content='2026-03-01T10:00'><p itemprop=text>The shed has a roof now.</p></div></div>",
        &[("The shed has a roof now.", Some("Ada Finch"), Some("2026-03-01T10:00"), None, None)],
    );
}

#[test]
fn chinese_comments_name_whom_they_answer() {
    let item = |name: &str, time: &str, text: &str| {
        format!(
            "<li><div class=userinfo><a class=nickname href='/u/{name}'>{name}</a><span class=time>{time}</span></div>\
             <p class=txt>{text}</p><div class=tools><a href='#r'>回复</a> <a href='#z'>赞(3)</a></div></li>"
        )
    };
    let items = item("小雨", "2026-03-01 10:00", "桥边的客栈又开门了，汤很好喝。")
        + &item("江边人", "2026-03-01 11:30", "回复 小雨：真的吗？我周末去看看。")
        + &item("老王", "2026年3月2日 08:15", "路上的泥太深了，要穿靴子。");
    check(
        &format!("<div class=pinglun><h3>网友评论（3）</h3><ul>{items}</ul></div>"),
        &[
            (
                "桥边的客栈又开门了，汤很好喝。",
                Some("小雨"),
                Some("2026-03-01T10:00"),
                Some("2026-03-01 10:00"),
                None,
            ),
            (
                "回复 小雨：真的吗？我周末去看看。",
                Some("江边人"),
                Some("2026-03-01T11:30"),
                Some("2026-03-01 11:30"),
                Some(0),
            ),
            (
                "路上的泥太深了，要穿靴子。",
                Some("老王"),
                Some("2026-03-02T08:15"),
                Some("2026年3月2日 08:15"),
                None,
            ),
        ],
    );
}

#[test]
fn uyghur_comments_are_read_from_right_to_left_as_well() {
    let item = |name: &str, time: &str, text: &str| {
        format!("<div class=inkas><p><b>{name}</b> <span>{time}</span></p><p>{text}</p></div>")
    };
    let items = item("ئايگۈل", "2026-03-01 10:00", "دەريا بويىدىكى يول ھازىر قۇرۇق.")
        + &item("تۇرسۇن", "2026-03-01 11:30", "رەھمەت، ئەتە مەنمۇ بارىمەن.")
        + &item("پەرھات", "2026-03-02 08:15", "كۆۋرۈكتىن كېيىن يول بەك لاي.");
    check(
        &format!("<div dir=rtl><h3>ئىنكاسلار</h3>{items}</div>"),
        &[
            (
                "دەريا بويىدىكى يول ھازىر قۇرۇق.",
                Some("ئايگۈل"),
                Some("2026-03-01T10:00"),
                Some("ئايگۈل 2026-03-01 10:00"),
                None,
            ),
            (
                "رەھمەت، ئەتە مەنمۇ بارىمەن.",
                Some("تۇرسۇن"),
                Some("2026-03-01T11:30"),
                Some("تۇرسۇن 2026-03-01 11:30"),
                None,
            ),
            (
                "كۆۋرۈكتىن كېيىن يول بەك لاي.",
                Some("پەرھات"),
                Some("2026-03-02T08:15"),
                Some("پەرھات 2026-03-02 08:15"),
                None,
            ),
        ],
    );
}

#[test]
fn rows_of_tables_are_comments() {
    let row = |name: &str, time: &str, text: &str| {
        format!(
            "<tr><td class=comment-author><strong>{name}</strong><br>{time}</td><td><p>{text}</p></td></tr>"
        )
    };
    let rows = row("Ada", "1 March 2026, 10:00", "The inn at the bridge is open again.")
        + &row("Ben", "1 March 2026, 11:30", "I was there on 3 May 2020 and it was shut.")
        + &row("Cem", "2 March 2026, 08:15", "There is mud up to the knees.");
    check(
        &format!("<h3>Comments (3)</h3><table class=comments>{rows}</table>"),
        &[
            (
                "The inn at the bridge is open again.",
                Some("Ada"),
                Some("2026-03-01T10:00"),
                Some("1 March 2026, 10:00"),
                None,
            ),
            (
                "I was there on 3 May 2020 and it was shut.",
                Some("Ben"),
                Some("2026-03-01T11:30"),
                Some("1 March 2026, 11:30"),
                None,
            ),
            (
                "There is mud up to the knees.",
                Some("Cem"),
                Some("2026-03-02T08:15"),
                Some("2 March 2026, 08:15"),
                None,
            ),
        ],
    );
}

#[test]
fn buttons_and_links_are_nobody() {
    let comment = |to: &str, text: &str| {
        format!(
            "<div class=comment><p>{text}</p><p><a href='#r'>Reply to {to}</a> <b>Newcomer</b></p><time>1 March 2026</time></div>"
        )
    };
    let comments = comment("Ada", "The inn at the bridge is open again.")
        + &comment("Ben", "And the soup there is good.")
        + &comment("Cem", "There is mud up to the knees.");
    let at = (Some("2026-03-01"), Some("1 March 2026"));
    check(
        &format!("<div id=comments><h3>3 comments</h3>{comments}</div>"),
        &[
            ("The inn at the bridge is open again.", None, at.0, at.1, None),
            ("And the soup there is good.", None, at.0, at.1, None),
            ("There is mud up to the knees.", None, at.0, at.1, None),
        ],
    );
}

#[test]
fn relative_times_count_from_the_fetch_and_none_lies_behind_it() {
    let html = format!(
        "{TEXT}<div id=comments><h3>2 comments</h3><div class=comment><cite>Ada</cite> <time>3 hours ago</time>\
         <p>Not a drop here.</p></div><div class=comment><cite>Ben</cite> <time datetime=2031-01-01>soon</time>\
         <p>Nor in our street.</p></div></div>"
    );
    let extractor = Extractor::new().comments(true);
    let times = |extractor: Extractor| {
        let comments = extractor.extract(&html).comments;
        comments.into_iter().map(|comment| comment.time).collect::<Vec<_>>()
    };
    assert_eq!(times(extractor.clone()), [None, Some("2031-01-01".to_owned())]);
    let fetched = tamis::facts::dates::Moment::read("2026-03-01T12:00:00Z").unwrap();
    let [first, second] = times(extractor.fetched(fetched)).try_into().unwrap();
    assert!(first.unwrap().starts_with("2026-03-01T09:00"));
    assert_eq!(second, None);
}
