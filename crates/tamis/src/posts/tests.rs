//! Small threads as forum programs write them, and what is no thread.

use super::*;

const SAID: [&str; 4] = [
    "Does anybody know when the ferry runs on Sundays, and what it costs for two with their dogs?",
    "From May on it leaves at nine, says the board at the pier; the dogs go for free.",
    "We took it last year. Bring something warm, since the wind is cold out there.",
    "Thank you all, that helps.",
];
const WHO: [&str; 4] = ["Ada", "Ben", "Cora", "Ada"];

/// A page of posts, each made of its number from 1, its writer and what is said.
fn thread(around: [&str; 2], post: impl Fn(usize, &str, &str) -> String) -> String {
    let posts: String = (0..4).map(|at| post(at + 1, WHO[at], SAID[at])).collect();
    format!(
        "<div><a href=/>Home</a> <a href=/boats>Boats</a></div><h1>Sundays</h1>{}{posts}{}<p>Run by the harbour office</p>",
        around[0], around[1]
    )
}

#[track_caller]
fn is_thread(html: &str) -> Vec<Post> {
    let page = Page::parse(html);
    let posts = find(&page);
    let texts: Vec<String> = posts.iter().map(|post| post.text(&page)).collect();
    assert_eq!(texts, SAID);
    let authors: Vec<_> = posts.iter().map(|post| post.author.as_deref().unwrap_or("?")).collect();
    assert_eq!(authors, WHO);
    posts
}

#[test]
fn discuz_with_floors() {
    let posts = is_thread(&thread(["<div id=postlist>", "</div>"], |at, who, said| {
        format!(
            "<div id=post_{at}><table class=plhin><tr><td class=pls><div class=authi><a href='home.php?mod=space&uid={at}' \
             class=xw1>{who}</a></div><p>积分 120</p></td><td class=plc><div class=pi><strong><a href='#p{at}'>{at}#</a></strong>\
             <div class=pti><em>发表于 2010-3-{at} 11:22</em></div></div><div class=pct><table><tr><td class=t_f>{said}\
             </td></tr></table></div></td></tr><tr><td></td><td><a href=#>回复</a> <a href=#>举报</a></td></tr></table></div>"
        )
    }));
    assert_eq!(posts[1].time.as_deref(), Some("2010-03-02T11:22"));
    assert_eq!(
        posts.iter().map(|post| post.number).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3), Some(4)]
    );
}

#[test]
fn rows_of_a_table_without_classes() {
    is_thread(&thread(["<table><tr><th>Author</th><th>Message</th></tr>", "</table>"], |at, who, said| {
        format!(
            "<tr><td><b>{who}</b><br>Joined: 15 Sep 2003<br>Posts: {}</td><td>Posted: 2010-03-{at} 10:0{at}<hr>{said}</td></tr>\
             <tr><td><a href=#top>Back to top</a></td><td><a href=p{at}>profile</a></td></tr>",
            at * 7
        )
    }));
}

#[test]
fn lines_that_sign_what_follows() {
    let posts = is_thread(&thread(["<dl>", "</dl>"], |at, who, said| {
        format!("<dt><a href=/who/{at}>{who}</a>, 2010-03-{at} 10:00</dt><dd>{said}</dd>")
    }));
    assert_eq!(posts[3].time.as_deref(), Some("2010-03-04T10:00"));
}

#[test]
fn boxes_with_a_user_beside_the_text() {
    is_thread(&thread(["<div class=block-body>", "</div>"], |at, who, said| {
        format!(
            "<article class='message message--post'><div class=message-cell--user><h4><a href=/members/{at}/ class=username>{who}\
             </a></h4><h5>Member</h5><dl><dt>Joined</dt><dd>Mar 3, 2019</dd></dl></div><div class=message-cell--main>\
             <header><time datetime=2020-05-0{at}T10:00:00Z>May {at}, 2020</time> <a href=#p{at}>#{at}</a></header>\
             <div class=bbWrapper>{said}</div><footer><a href=#>Like</a> <a href=#>Reply</a></footer></div></article>"
        )
    }));
}

#[test]
fn times_that_a_script_writes() {
    let posts = is_thread(&thread(["<ul>", "</ul>"], |at, who, said| {
        format!(
            "<li><div><a href=/user/{who}>{who}</a> <span class=timeago title=2020-05-0{at}T10:00:00.000Z></span></div>\
             <div class=content><p>{said}</p></div><div><a href=#>Reply</a> <a href=#>Quote</a></div></li>"
        )
    }));
    assert_eq!(posts[0].time.as_deref(), Some("2020-05-01T10:00:00"));
}

#[test]
fn names_in_the_line_with_the_time() {
    is_thread(&thread(["", ""], |at, who, said| {
        format!(
            "<div class=p><div><a href=#{at}>On what the ferry costs on Sundays</a></div><div>{said}</div>\
             <div>Posted on 2003-09-{at} 10:17:08 by {who}</div></div>"
        )
    }));
}

#[test]
fn a_question_is_built_otherwise_than_its_answers() {
    let [question, answers @ ..] = SAID;
    let answers: String = answers
        .iter()
        .zip(&WHO[1..])
        .map(|(said, who)| {
            format!("<div class=answer><p>{said}</p><div>answered <time>2012-03-01</time> <a href=/users/{who}>{who}</a></div></div>")
        })
        .collect();
    let html = format!(
        "<h1>Sundays</h1><div class=question><p>{question}</p><div>asked <time>2012-02-28</time> <a href=/users/Ada>Ada</a></div></div>\
         <div><h2>3 Answers</h2>{answers}</div>"
    );
    is_thread(&html);
}

/// Four posts whose second has something before and behind what is said.
fn second(before: &str, behind: &str) -> (String, Post) {
    let html = thread(["", ""], |at, who, said| {
        let [before, behind] = if at == 2 { [before, behind] } else { [""; 2] };
        format!(
            "<div class=post><a href=/u/{at}>{who}</a> <i>2010-03-{at} 10:00</i><div class=body>{before}<p>{said}</p>{behind}</div></div>"
        )
    });
    let page = Page::parse(&html);
    let post = find(&page).swap_remove(1);
    (post.text(&page), post)
}

#[test]
fn a_line_of_dashes_in_a_quote_took_the_reply_with_it() {
    for rule in ["----------", "--"] {
        let quote = format!("<blockquote><p>Ada wrote:<p>{}<p>{rule}<p>Ada Moss</blockquote>", SAID[0]);
        let (text, post) = second(&quote, "");
        assert!(text.ends_with(SAID[1]) && text.contains("Ada Moss"), "{text}");
        assert_eq!(post.quotes.len(), 1);
    }
}

#[test]
fn a_signature_is_short_and_the_last() {
    assert_eq!(second("", "<p>__________</p><p>Ben Hill, Pier 4</p><p>Boats since 1990</p>").0, SAID[1]);
    // Whoever goes on at length has not signed.
    let more = format!("<p>----------</p><p>{} {}</p>", SAID[2], SAID[0]);
    assert!(second("", &more).0.ends_with(SAID[0]));
    let quote = format!("<p>----------</p><blockquote><p>{}</blockquote>", SAID[3]);
    assert!(second("", &quote).0.ends_with(SAID[3]), "nobody quotes in a signature");
}

#[test]
fn prose_in_a_box_called_rating_or_sign_was_lost() {
    for class in ["rating", "action", "profile", "sign", "badge"] {
        let prose = "<p>I would give the crew five of five.";
        let (text, _) = second(&format!("<div class={class}>{prose}</div>"), "");
        assert!(text.contains("five of five"), "{class}: {text}");
        let (text, _) = second("", &format!("<div class={class}>Likes: 12</div>"));
        assert_eq!(text, SAID[1], "{class}");
    }
}

#[test]
fn who_is_quoted_was_not_read_from_attributes_and_colons() {
    let quotes = [
        "<aside class=quote data-username=Ada data-post=1><div class=title><img src=a.png> Ada:</div><blockquote><p>X</p></blockquote></aside>",
        "<aside class=quote data-username=Ada><blockquote><p>X</p></blockquote></aside>",
        "<blockquote data-quote=Ada><p>X</p></blockquote>",
        "<blockquote><p>Ada:</p><p>X</p></blockquote>",
        "<blockquote><p>Ada wrote:</p><p>X</p></blockquote>",
        "<blockquote><b>Ada wrote:</b><br>X</blockquote>",
    ];
    for quote in quotes {
        let (_, post) = second(&quote.replace('X', SAID[0]), "");
        assert_eq!(post.reply_to.as_deref(), Some("Ada"), "{quote}");
        assert_eq!(post.quotes[0].author.as_deref(), Some("Ada"), "{quote}");
    }
    for quote in ["<blockquote><p>Quote:</p><p>X</p></blockquote>", "<blockquote><p>X:</p></blockquote>"] {
        let (_, post) = second(&quote.replace('X', SAID[0]), "");
        assert_eq!(post.reply_to, None, "{quote}");
    }
}

#[test]
fn quotes_are_marked() {
    let html = thread(["", ""], |at, who, said| {
        let quote = if at == 2 {
            format!("<blockquote><div>Ada wrote:</div><p>{}</p></blockquote>", SAID[0])
        } else {
            String::new()
        };
        format!(
            "<div class=post><a href=/u/{at}>{who}</a> <i>2010-03-{at} 10:00</i><div class=body>{quote}<p>{said}</p></div></div>"
        )
    });
    let page = Page::parse(&html);
    let posts = find(&page);
    assert_eq!(posts.len(), 4);
    assert_eq!(posts[1].reply_to.as_deref(), Some("Ada"));
    let quoted: Vec<&str> =
        posts[1].quotes[0].blocks.iter().map(|place| page.text(&page.blocks()[*place])).collect();
    assert_eq!(quoted, ["Ada wrote:", SAID[0]]);
    assert!(posts.iter().enumerate().all(|(at, post)| at == 1 || post.quotes.is_empty()));
}

#[test]
fn what_many_quote_was_taken_for_a_label() {
    let html = thread(["", ""], |at, who, said| {
        let quote = if at == 1 {
            "Is it open?".to_owned()
        } else {
            "<blockquote>Is it open?</blockquote>".to_owned()
        };
        format!(
            "<div class=post><a href=/u/{at}>{who}</a> <i>2010-03-{at} 10:00</i><div class=body>{quote}<p>{said}</p></div></div>"
        )
    });
    let page = Page::parse(&html);
    for (post, said) in find(&page).iter().zip(SAID) {
        assert_eq!(post.text(&page), format!("Is it open?\n{said}"));
    }
}

#[test]
fn buttons_were_taken_for_writers() {
    // The first link of each post is a button, and a count stands beside the name.
    let posts = is_thread(&thread(["<div id=viewthread>", "</div>"], |at, who, said| {
        format!(
            "<div class=row><div class=tools><a href='/print/{at}'>打印</a> <a href='/fav/{at}'>Keep it</a></div>\
             <div class=who><b>Posts: 1,50{at}</b> <a href='/space/{at}'>{who}</a></div>\
             <span>2010-03-0{at} 10:00</span><div class=said><p>{said}</p></div></div>"
        )
    }));
    assert!(posts.iter().all(|post| post.number.is_none()));
}

#[test]
fn numbers_of_posts_in_spans_and_links_were_missed() {
    for number in [
        "<span>#{}</span>",
        "<a href=#p>{}#</a>",
        "<em class=postnumber>{}</em>",
        "<b>{}楼</b>",
        "<i>Post #{}</i>",
    ] {
        let posts = is_thread(&thread(["<div id=viewthread>", "</div>"], |at, who, said| {
            let number = number.replace("{}", &(at + 20).to_string());
            format!(
                "<div class=row><a href='/user/{at}'>{who}</a> wrote on <i>2010-03-0{at} 10:00</i> as {number}<p>{said}</p></div>"
            )
        }));
        let numbers: Vec<_> = posts.iter().filter_map(|post| post.number).collect();
        assert_eq!(numbers, [21, 22, 23, 24], "{number}");
    }
}

#[test]
fn when_writers_were_last_seen_was_when_they_wrote() {
    let posts = is_thread(&thread(["<div id=viewthread>", "</div>"], |at, who, said| {
        format!(
            "<div class=row><div class=who><a href='/user/{at}'>{who}</a><p>ئاخىرقى كىرگىنى : 2015-0{}-20</p></div>\
             <div class=said><p>{said}</p></div><div class=foot><p>Posted: 2010-03-0{at} 10:00</p></div></div>",
            9 - at * 2 % 5
        )
    }));
    assert_eq!(posts[1].time.as_deref(), Some("2010-03-02T10:00"));
    assert_eq!(posts[3].time.as_deref(), Some("2010-03-04T10:00"));
}

#[test]
fn remarks_below_a_post_signed_it() {
    is_thread(&thread(["<div id=viewthread>", "</div>"], |at, who, said| {
        format!(
            "<div class=row><div class=said><p>{said}</p></div><p><i>2010-03-0{at} 10:00</i> <a href='/user/{at}'>{who}</a></p>\
             <div class=comments><a class='comment user' href='/user/9{at}'>Dora{at}</a></div></div>"
        )
    }));
}

#[test]
fn a_post_that_is_shown_above_its_answer_signed_it() {
    let posts = is_thread(&thread(
        ["<ul component=topic class='posts timeline'>", "</ul>"],
        |at, who, said| {
            let parent = |before: usize| {
                format!(
                    "<div component='post/parent' class='btn mb-2'><div><a class=fw-semibold href='/user/{before}'>{}</a>\
                 <a class=timeago title='2010-03-0{before}T10:00:00Z'></a></div><div><p>{}</p></div></div>",
                    WHO[before - 1],
                    SAID[before - 1],
                )
            };
            // The first post has another class, and answers nobody.
            let (class, parent) =
                if at == 1 { ("topic-owner-post", String::new()) } else { ("pt-4", parent(at - 1)) };
            format!(
                "<li component=post class='{class}'>{parent}<div class=post-container-parent><div class=post-container>\
             <div class=post-header><a class=fw-bold href='/user/{at}'>{who}</a> <span>wrote on <a class=timeago \
             title='2010-03-0{at}T10:00:00Z'></a></span> <a class=post-index href='/post/{at}'>#{at}</a></div>\
             <div class=content><p>{said}</p></div><div class=post-footer><a href=#>Reply</a> <a href=#>Quote</a></div>\
             </div></div></li>"
            )
        },
    ));
    let times: Vec<_> = posts.iter().map(|post| post.time.as_deref().unwrap_or("?")).collect();
    assert_eq!(times, [1, 2, 3, 4].map(|day| format!("2010-03-0{day}T10:00:00")));
}

#[test]
fn likes_were_no_numbers_of_posts() {
    let posts = is_thread(&thread(["<div id=viewthread>", "</div>"], |at, who, said| {
        format!(
            "<div class=row><a href='/user/{at}'>{who}</a> <i>2010-03-0{at} 10:00</i> <b class=num>{}</b><p>{said}</p></div>",
            at * 7 % 5
        )
    }));
    assert!(posts.iter().all(|post| post.number.is_none()), "2, 4, 1, 3 grow nowhere");
}

#[test]
fn what_is_no_thread() {
    let teaser = |at: usize| {
        format!(
            "<div class=item><h3><a href=/news/{at}>The ferry runs on Sundays again</a></h3><span>2010-03-0{at} 10:00</span> \
             <a href=/author/{at}>Ada</a><p>{}</p></div>",
            SAID[at % 4]
        )
    };
    let listing: String = (1..9).map(teaser).collect();
    let article = format!(
        "<h1>Rain</h1><p>By <a href=/author/1>Ada</a>, 2010-03-04 10:00</p><p>{}</p><p>{}</p>",
        SAID[0], SAID[1]
    );
    let prices: String = (1..9)
        .map(|at| format!("<li><a href=/p/{at}>Boat</a> <b>{at}00</b> A boat of wood, for four.</li>"))
        .collect();
    for html in [listing, article, format!("<ul>{prices}</ul>"), String::new(), "<div>".repeat(5_000)] {
        assert_eq!(find(&Page::parse(&html)), [], "{}", html.get(..80).unwrap_or(&html));
    }
}

#[test]
fn many_nested_posts_take_linear_time() {
    let html = |n: usize| {
        "<div class=post><a href=/u/1>Ada</a> <i>2010-03-04 10:00</i><p>Words that somebody said.</p>"
            .repeat(n)
    };
    for n in [100, 3_000] {
        let html = html(n);
        let page = Page::parse(&html);
        let posts = find(&page);
        assert!(posts.len() <= n);
    }
    let flat =
        "<div class=post><a href=/u/1>Ada</a> <i>2010-03-04 10:00</i><p>Words that somebody said.</p></div>"
            .repeat(5_000);
    assert_eq!(find(&Page::parse(&flat)).len(), 5_000);
}

fn numbers(posts: &[Post]) -> Vec<u32> {
    posts.iter().map(|post| post.number.unwrap_or(0)).collect()
}

#[test]
fn numbers_that_only_a_property_or_the_line_of_the_time_tells() {
    let posts = is_thread(&thread(["<div>", "</div>"], |at, who, said| {
        format!(
            "<div class=post><span><a class=username href=/u/{at}>{who}</a></span> <time \
             datetime='2010-03-0{at}T11:22:00Z'>March {at}, 2010</time> <span itemprop=position>{at}</span><div \
             class=body><p>{said}</p></div></div>"
        )
    }));
    assert_eq!(numbers(&posts), [1, 2, 3, 4]);
    let posts = is_thread(&thread(["<div>", "</div>"], |at, who, said| {
        format!(
            "<div class=post><p><a href='/profile/{at}'>{who}</a></p><p>« Reply #{at} on: March 0{at}, 2010, 10:00:00 AM »</p>\
             <div class=body><p>{said}</p></div></div>"
        )
    }));
    assert_eq!(numbers(&posts), [1, 2, 3, 4]);
}

#[test]
fn the_answer_on_top_took_the_numbers_from_all_posts() {
    let posts = is_thread(&thread(["<div>", "</div>"], |at, who, said| {
        let number = [9, 1, 2, 3][at - 1];
        format!(
            "<div class=post><a class=username href='/members/{at}'>{who}</a> <a href='#p{number}'>#{number}</a> <time \
             datetime='2010-03-0{number}T11:22:00Z'>March {number}, 2010</time><div class=body><p>{said}</p></div></div>"
        )
    }));
    assert_eq!(numbers(&posts), [9, 1, 2, 3]);
}

#[test]
fn subjects_were_taken_for_writers() {
    is_thread(&thread(["<div>", "</div>"], |at, who, said| {
        let subject = if at == 1 { "Sundays" } else { "Re: Sundays" };
        format!(
            "<div class=post>#{at} [2010-03-0{at} 11:22:00]<h3><a href='#p{at}'>{subject}</a></h3>by <i>{who}</i><div class=body>\
             <p>{said}</p></div></div>"
        )
    }));
}

/// A thread whose head is signed as its first post is.
fn headed(head: &str, first: usize) -> String {
    let post = |at: usize, who: &str, said: &str| {
        let number = at + first;
        format!(
            "<article class=message><div class=user><a class=username href=/members/{who}>{who}</a></div><div class=main>\
             <time datetime=2021-03-0{at}T10:00>Mar {at}, 2021</time> <a href=#p{number}>#{number}</a>\
             <div class=words><p>{said}</p></div></div></article>"
        )
    };
    let posts: String = (0..4).map(|at| post(at + 1, WHO[at], SAID[at])).collect();
    format!(
        "<html id=XF><body><div class=p-body-header><h1>When does the ferry run on Sundays</h1> Thread starter \
         <a class=username href=/members/{head}>{head}</a> <time datetime=2021-03-01T10:00>Mar 1, 2021</time></div>\
         <div class=p-body-main>{posts}</div>"
    )
}

#[test]
fn the_headline_of_a_thread_was_its_first_post() {
    is_thread(&headed("Ada", 0));
    // Further down in a thread its head has the signature of a post that is not there.
    is_thread(&headed("Dora", 20));
}

#[test]
fn numbers_of_a_whole_list_were_places_in_a_thread() {
    let posts = |numbers: &[u32]| -> Vec<Post> {
        let root = Page::parse("").dom().root().id();
        numbers.iter().map(|number| Post { number: Some(*number), ..Post::new(root, 0..0) }).collect()
    };
    assert!(begin_later(&posts(&[21, 22, 23])) && begin_later(&posts(&[40])));
    assert!(!begin_later(&posts(&[6363, 6364, 6371])) && !begin_later(&posts(&[1, 2, 3])));
}

#[test]
fn threads_with_days_of_other_languages_had_no_posts() {
    for days in [
        ["5 Kasım 2010", "6 Kasım 2010", "7 Kasım 2010", "8 Kasım 2010"],
        ["5 stycznia 2010", "6 stycznia 2010", "7 stycznia 2010", "8 stycznia 2010"],
        ["5 mei 2010", "6 mei 2010", "7 mei 2010", "8 mei 2010"],
        ["5 luglio 2010", "6 luglio 2010", "7 luglio 2010", "8 luglio 2010"],
        ["5 грудня 2010", "6 грудня 2010", "7 грудня 2010", "8 грудня 2010"],
        ["3 saat önce", "2 saat önce", "1 saat önce", "5 dakika önce"],
        ["3 uur geleden", "2 uur geleden", "1 uur geleden", "5 minuten geleden"],
    ] {
        let posts = is_thread(&thread(["<div>", "</div>"], |at, who, said| {
            format!(
                "<div><div><a href=/u/{who}>{who}</a></div><div>{}</div><p>{said}</p></div>",
                days[at - 1]
            )
        }));
        assert_eq!(posts[0].time_text.as_deref(), Some(days[0]));
    }
}

#[test]
fn the_days_of_posts_and_of_the_page_were_read_by_two_rules() {
    let days = ["3/4/2021", "3/5/2021", "3/6/2021", "3/7/2021"];
    let read = |language: &str, url: &str, fetched: Option<&str>| {
        let html = thread(["<div>", "</div>"], |at, who, said| {
            format!(
                "<div><div><a href=/u/{who}>{who}</a></div><div>{}</div><p>{said}</p></div>",
                days[at - 1]
            )
        });
        let mut extractor = crate::Extractor::new().url(url);
        if let Some(fetched) = fetched.and_then(Moment::read) {
            extractor = extractor.fetched(fetched);
        }
        let document = extractor.extract(&format!("<html{language}><body>{html}"));
        (
            document.published.unwrap_or_default(),
            document.posts.first().and_then(|post| post.time.clone()).unwrap_or_default(),
        )
    };
    let both = |day: &str| (day.to_owned(), day.to_owned());
    assert_eq!(read(" lang=en-US", "https://boats.example.org/t/1", None), both("2021-03-04"));
    assert_eq!(read(" lang=en-GB", "https://boats.example.org/t/1", None), both("2021-04-03"));
    assert_eq!(read("", "https://boats.example.org/t/1", None), both("2021-03-04"));
    assert_eq!(read(" lang=en", "https://boats.example.co.uk/t/1", None), both("2021-04-03"));
    assert_eq!(
        read(" lang=en-GB", "https://boats.example.org/t/1", Some("2021-03-20T10:00Z")),
        both("2021-03-04")
    );
}

#[test]
fn how_often_writers_wrote_was_part_of_their_names() {
    assert!(!signed::may_be_name("Ada 4,522") && signed::may_be_name("Ada 22"));
}

#[test]
fn goods_with_their_days_of_release_were_posts() {
    let goods = |label: &str| -> String {
        let card = |at: usize| {
            format!(
                "<div class=card><b>Boats {at}</b><div>{label} March 1{at}, 2021</div><p>{}</p></div>",
                SAID[at % 4]
            )
        };
        (1..6).map(card).collect()
    };
    assert_eq!(find(&Page::parse(&goods("Release date:"))), []);
    assert_eq!(find(&Page::parse(&goods("Get it by"))), []);
    assert_eq!(find(&Page::parse(&goods("Posted:"))).len(), 5, "the same page, but for the label");
}

#[test]
fn offers_and_programmes_were_threads() {
    let piece = |n: u32, time: &str| {
        format!(
            "<div class=offer><p>{time}</p><p><a href=/o/{n}>More</a></p><p>Four nights at the harbour, with a view of the boats, if you \
             take number {n}.</p></div>"
        )
    };
    for html in [
        (1..8).map(|n| piece(n, &format!("2026-03-0{n}"))).collect::<String>(),
        (1..8).map(|n| piece(n, &format!("Sep {n}"))).collect::<String>(),
    ] {
        assert!(find(&Page::parse(&html)).is_empty(), "{html}");
    }
}
