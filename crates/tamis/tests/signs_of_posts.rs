//! Pages on which writers, times or answered posts were once read from the wrong place. All of them are invented.

use tamis::Page;
use tamis::posts::{Post, find};

const SAID: [&str; 4] = [
    "Does anybody know when the ferry runs on Sundays, and what it costs for two with a dog?",
    "From May on it leaves at nine, says the board at the pier; dogs go for free.",
    "We took it last year. Bring something warm, since the wind is cold out there.",
    "The kiosk sells soup as well, if you are there before noon and have coins.",
];

fn writers(posts: &[Post]) -> Vec<&str> {
    posts.iter().map(|post| post.author.as_deref().unwrap_or("?")).collect()
}

fn times(posts: &[Post]) -> Vec<&str> {
    posts.iter().map(|post| post.time.as_deref().unwrap_or("?")).collect()
}

fn answered(posts: &[Post]) -> Vec<&str> {
    posts.iter().map(|post| post.reply_to.as_deref().unwrap_or("?")).collect()
}

/// A thread as phpwind writes it: the name is no link, and what was done to the first post stands above its own time.
fn without_links(done: &str) -> String {
    let post = |(at, (who, said)): (usize, (&str, &str))| {
        let note = if at == 0 { done } else { "" };
        format!(
            "<div class=t2><table><tr class=tr1><th class=r_two><img src=on.gif>{who}<div>Captain of pier {at}</div><div class=user-pic>\
             <a href='profile.php?action=show&amp;uid=9{at}'><img src=p{at}.gif></a></div>Level: <font>old hand</font><br>Posts: 3{at}<br>\
             <span class=gray>Joined: 2007-11-0{at}</span></th><th class=r_one id=td_{at}><div class=tiptop><a href='post.php?action=quote'>quote</a>\
             </div><div class=tpc_content>{said}{note}</div></th></tr><tr class=tr1><th><div class=tipad><a href='#'>top</a> <span class=gray>\
             [{at} - floor] Time : 2010-03-0{} 11:22 | </span></div></th></tr></table></div>",
            at + 1
        )
    };
    let posts: String = ["Ada", "Ben", "Cora", "Ada"].into_iter().zip(SAID).enumerate().map(post).collect();
    format!(
        "<title>Sundays</title><body><h1>Sundays</h1><div id=main>{posts}</div><p>Powered by PHPWind v6</p>"
    )
}

#[test]
fn who_edited_a_post_said_when_it_was_written() {
    for note in [
        "<div id=alert_1>[ this post was edited by Dora at 2011-11-29 23:02 ]</div>",
        "<div id=alert_1>[ 此帖被小雨在2011-11-29 23:02重新编辑 ]</div>",
        "<div id=alert_1>[ بۇ يازما ئايگۈل تەرىپىدىن2011-11-29 23:02دە قايتا ]</div>",
        // No word of it is known.
        "<div id=alert_1>Dora praised it on 2011-11-29 23:02</div>",
    ] {
        let html = without_links(note);
        let found = find(&Page::parse(&html));
        assert_eq!(
            times(&found),
            ["2010-03-01T11:22", "2010-03-02T11:22", "2010-03-03T11:22", "2010-03-04T11:22"],
            "{note}"
        );
    }
}

#[test]
fn names_without_links_beside_pictures_that_have_them_were_lost() {
    let html = without_links("");
    let page = Page::parse(&html);
    let posts = find(&page);
    assert_eq!(writers(&posts), ["Ada", "Ben", "Cora", "Ada"]);
    assert!(posts.iter().zip(SAID).all(|(post, said)| post.text(&page) == said));
}

#[test]
fn days_that_only_titles_tell_were_lost() {
    // As Discuz writes what was said some days ago, with a remark on the third post.
    let post = |(at, (who, said)): (usize, (&str, &str))| {
        let remarks = if at == 2 {
            "<h3>Remarks</h3><div class=pstl><div class=psti><a href='space-uid-7.html'>Dora</a> Not in summer. <span>posted <span title='2021-03-09 20:54'>2 \
             days ago</span></span></div></div>"
        } else {
            ""
        };
        format!(
            "<div id=post_{at}><table class=plhin><tr><td class=pls><div class=authi><a href='space-uid-9{at}.html' class=xw1>{who}</a></div></td>\
             <td class=plc><div class=pi><div class=pti><em id=authorposton{at}>posted <span title='2021-3-{} 02:30:58'>4 days ago</span></em>\
             </div></div><div class=pct><div class=pcb><div class=t_fsz><table><tr><td class=t_f id=postmessage_{at}>{said}</td></tr></table></div>\
             <div id=comment_{at} class=cm>{remarks}</div></div></div></td></tr></table></div>",
            at + 1
        )
    };
    let posts: String = ["Ada", "Ben", "Cora", "Dan"].into_iter().zip(SAID).enumerate().map(post).collect();
    let html = format!("<title>Sundays</title><body><h1>Sundays</h1><div id=postlist>{posts}</div>");
    let page = Page::parse(&html);
    let posts = find(&page);
    assert_eq!(
        times(&posts),
        ["2021-03-01T02:30:58", "2021-03-02T02:30:58", "2021-03-03T02:30:58", "2021-03-04T02:30:58"]
    );
    assert_eq!(writers(&posts), ["Ada", "Ben", "Cora", "Dan"]);
    assert_eq!(posts[2].text(&page), SAID[2]);
}

/// Three posts, the third with something before its words.
fn with_quote(before: &str) -> String {
    let post = |(at, (who, said)): (usize, (&str, &str))| {
        let before = if at == 2 { before } else { "" };
        format!(
            "<article class=post id=msg{at}><div class=post-head><span class=post-author>{who}</span> <span class=post-date>2024-04-1{at} 02:55</span>\
             </div><div class=post-body>{before}{said}</div></article>"
        )
    };
    let posts: String = ["Ada", "Ben", "Cora"].into_iter().zip(SAID).enumerate().map(post).collect();
    format!("<title>Sundays</title><body class=topic><h1>Sundays</h1>{posts}")
}

#[test]
fn the_markup_of_a_quote_was_a_name() {
    let html = with_quote(
        "<blockquote class=quote><cite> author=Ada link=msg=14 date=1713408907 wrote:</cite>when the ferry runs on Sundays</blockquote><br>",
    );
    assert_eq!(answered(&find(&Page::parse(&html))), ["?", "?", "Ada"]);
}

#[test]
fn who_quoted_himself_answered_himself() {
    let quote = |who: &str| {
        format!("<blockquote><div><cite>{who} wrote:</cite>when the ferry runs on Sundays</div></blockquote>")
    };
    let html = with_quote(&quote("Cora"));
    assert_eq!(answered(&find(&Page::parse(&html))), ["?", "?", "?"]);
    let html = with_quote(&(quote("Cora") + &quote("Ben")));
    assert_eq!(answered(&find(&Page::parse(&html))), ["?", "?", "Ben"]);
}

#[test]
fn answers_inside_of_the_box_of_a_post_answered_nobody() {
    let post = |who: &str, day: usize, said: &str, answers: &str| {
        format!(
            "<div class=post><div class=head><b>{who}</b> 2026-03-0{day} 10:20</div><div class=msg>{said}</div><div class=replies>{answers}</div></div>"
        )
    };
    let third = post("Ada", 3, SAID[2], "");
    let answers = post("Ben", 2, SAID[1], &third) + &post("Karl", 4, SAID[3], "");
    let html = format!("<h1>Ferry</h1><div class=thread>{}</div>", post("Ada", 1, SAID[0], &answers));
    let posts = find(&Page::parse(&html));
    assert_eq!(writers(&posts), ["Ada", "Ben", "Ada", "Karl"]);
    assert_eq!(answered(&posts), ["?", "Ada", "Ben", "Ada"]);
}

#[test]
fn threads_signed_by_names_alone_had_no_posts() {
    // As static copies of Discourse are written.
    let post = |(at, (who, said)): (usize, (&str, &str))| {
        format!(
            "<div class=post_container><div class=avatar_container><img src=a{at}.png class=avatar></div><div class=post><div class=user_name>{who}\
             </div><div class=post_content><p>{said}</p></div></div></div>"
        )
    };
    let posts: String = ["Ada", "Ben", "Cora", "Dan"].into_iter().zip(SAID).enumerate().map(post).collect();
    let html = format!(
        "<title>Sundays</title><body><div class=main><h1 class=topic-title>Sundays</h1>{posts}</div>"
    );
    let page = Page::parse(&html);
    let posts = find(&page);
    assert_eq!(writers(&posts), ["Ada", "Ben", "Cora", "Dan"]);
    assert!(posts.iter().zip(SAID).all(|(post, said)| post.text(&page) == said));
    // The name of a class alone makes no thread.
    let html = html.replace("class=user_name", "class=line");
    assert!(find(&Page::parse(&html)).is_empty());
}

#[test]
fn an_opening_without_a_box_of_its_own_was_no_post() {
    let answer = |(at, (who, said)): (usize, (&str, &str))| {
        format!(
            "<div class=comment><span class=small><i><a href='/user/{at}/'>{who}</a> - 2024-03-0{at} 10:00</i></span><div><p>{said}</p></div></div>"
        )
    };
    let answers: String =
        ["Ada", "Ben", "Cora", "Dan"].into_iter().zip(SAID).enumerate().skip(1).map(answer).collect();
    let html = format!(
        "<title>Sundays</title><body><main><h1>Sundays</h1><span class=small><i><a href='/user/1/'>Ada</a> - 2024-03-01 09:00</i></span>\
         <p>{}</p><p>The board at the pier says nothing of it.</p>{answers}</main>",
        SAID[0]
    );
    let page = Page::parse(&html).with_url("https://forum.example/thread/1/");
    let posts = find(&page);
    assert_eq!(writers(&posts), ["Ada", "Ben", "Cora", "Dan"]);
    assert_eq!(posts[0].time.as_deref(), Some("2024-03-01T09:00"));
    assert_eq!(posts[0].text(&page), format!("{}\nThe board at the pier says nothing of it.", SAID[0]));
}

#[test]
fn a_time_in_a_quote_took_the_quote_with_it() {
    let post = |(at, (who, said)): (usize, (&str, &str))| {
        let quote = if at == 2 {
            "<blockquote><p>Ada, 2024-04-10 09:00</p><p>what it costs for two with a dog</p></blockquote>"
        } else {
            ""
        };
        format!(
            "<div class=post><div class=side><a href='/user/{at}'>{who}</a></div><div class=said>{quote}<p>{said}</p></div>\
             <div class=foot>Posted 2024-04-1{at} 11:00</div></div>"
        )
    };
    let posts: String = ["Ada", "Ben", "Cora", "Dan"].into_iter().zip(SAID).enumerate().map(post).collect();
    let html = format!("<title>Sundays</title><body class=topic><h1>Sundays</h1>{posts}");
    let page = Page::parse(&html);
    let posts = find(&page);
    assert_eq!(posts[2].time.as_deref(), Some("2024-04-12T11:00"));
    assert!(posts[2].text(&page).contains("what it costs for two with a dog\nWe took it last year."));
    assert_eq!(posts[2].text(&page).lines().next(), Some("Ada, 2024-04-10 09:00"));
}
