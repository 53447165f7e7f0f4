use super::*;
use crate::page::Page;

fn texts(html: &str) -> Vec<String> {
    let page = Page::parse(html);
    (0..page.blocks.len()).map(|block| page.blocks.text(block).to_owned()).collect()
}

#[test]
fn blocks_end_at_visual_line_breaks() {
    assert_eq!(texts("<table><tr><td>one</td><td>word</td></tr></table>"), ["one", "word"]);
    assert_eq!(texts("<div>a<div>b</div>c</div>"), ["a", "b", "c"]);
    assert_eq!(texts("<p>un<b>believ</b>able <i>tale</i>"), ["unbelievable tale"]);
    assert_eq!(texts("<div><a href=/a>Home</a><a href=/b>News</a></div>"), ["Home News"]);
    assert_eq!(
        texts("<p><span>Photo</span><a href=/a>Ann</a>, <span>un</span>believable"),
        ["Photo Ann, unbelievable"]
    );
    assert_eq!(texts("<span style='display: block'>a</span><span>b</span>"), ["a", "b"]);
    assert_eq!(texts("<p hidden>a</p><p>b<i style='display:none'>c</i>"), ["b"]);
    let katex =
        "<span class=katex><math><mi>x</mi></math><span class=katex-html aria-hidden=true>x</span></span>";
    assert_eq!(texts(&format!("<p>Let {katex} be")), ["Let x be"]);
    let hidden = "<style>.trap{display:none}</style><p>a<b class='x trap'>b</b><i class=sr-only>c</i>d";
    assert_eq!(texts(&format!("{hidden}<dialog>e</dialog><dialog open>f</dialog>")), ["ad", "f"]);
    assert_eq!(texts("<noscript><style>.a{display:none}</style></noscript><p class=a>b"), ["b"]);
    let ruby = "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rtc><rt>ji</rt></rtc></ruby>だ";
    assert_eq!(texts(ruby), ["漢字だ"]);
    assert_eq!(texts("<p>a<rt>b</rt>"), ["ab"]);
    assert_eq!(texts("<p>har<b>&shy;</b>bour<i>\u{200b}</i>side"), ["harbourside"]);
}

#[test]
fn an_open_iframe_in_noscript_hides_nothing() {
    let before = "Rain fell. ".repeat(30);
    for place in ["<p>", "<head>"] {
        let html = format!("{place}{before}<noscript><iframe src=a></noscript><p>It rained.");
        assert_eq!(texts(&html).last().map(String::as_str), Some("It rained."), "{place}");
    }
}

#[test]
fn noscript_counts_where_it_has_more_text_than_the_rest() {
    let post =
        "<p>The ferry to the island runs every hour until the storm comes in, says the harbour office.";
    let menu = "<div>Home</div><div>News</div><div>Log in</div>";
    let noscript = |posts: usize| format!("{menu}<noscript><iframe src=a>{}</noscript>", post.repeat(posts));
    assert_eq!(texts(&noscript(1)).len(), 3);
    assert_eq!(texts(&noscript(8)).len(), 11);
}

#[test]
fn an_element_covers_a_contiguous_range_of_blocks() {
    let page = Page::parse("<title>T</title><div><p>one<p hidden>two<p>three</div><p>four");
    assert_eq!(page.head.title, "T");
    let div = page.elements.name.iter().position(|name| *name == Name::DIV).unwrap() as u32;
    assert_eq!(page.elements.blocks(div), (0, 2));
    assert_eq!(page.blocks.sum(0, 2).words, 2);
    assert_eq!(page.blocks.text(2), "four");
}
