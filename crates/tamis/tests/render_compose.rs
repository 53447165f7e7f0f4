//! What each kind of markup becomes.

use tamis::document::{
    ComposeOptions, Document, Formula, Image, Inline, Kind, MAX_INLINE_NESTING, MAX_NESTING, Piece, Style,
    TableRow, compose,
};
use tamis::page::Page;
use tamis::render::RenderOptions;
use tamis_html::Name;

const URL: &str = "https://test.example/dir/page";

/// Keeps the blocks whose text does not start with `x`.
fn pieces(html: &str) -> Vec<Piece> {
    // Pages with `noscript` and little text are parsed with scripting.
    let html = if html.contains("<noscript") {
        format!("{html}{}", "<p>x word".repeat(99))
    } else {
        html.to_owned()
    };
    let page = Page::parse(&html);
    let kept: Vec<bool> =
        (0..page.blocks.len()).map(|block| !page.blocks.text(block).starts_with('x')).collect();
    compose(
        &page,
        &kept,
        &ComposeOptions { url: Some(URL), title: Some("Title"), ..ComposeOptions::default() },
    )
}

fn markdown(html: &str) -> String {
    let mut document = Document::default();
    document.content = pieces(html);
    document.to_markdown_with(&RenderOptions::all())
}

#[test]
fn pages_become_markdown() {
    for (html, expected) in [
        // Lists keep the kept items and their numbers.
        ("<ol><li>x<li>b<li>x<li>c</ol>", "2. b\n3. c\n"),
        ("<ul><li>x<ul><li>b</ul><li>x</ul>", "- - b\n"),
        ("<ul><li>x</ul>", ""),
        ("<ul>a<li>b</li><ul><li>c</ul></ul>", "- a\n- b\n  - c\n"),
        ("<div><li>a<li>b</div>", "a\n\nb\n"),
        ("<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>", "- [x] a\n- [ ] b\n"),
        // Lists of sections and quotations are layout.
        ("<ol><li><h3>a</h3><p>b<li><h3>c</h3><p>d</ol>", "## a\n\nb\n\n## c\n\nd\n"),
        ("<ol><li><blockquote>a</blockquote>b<li>c</ol>", "> a\n\nb\n\nc\n"),
        ("<blockquote><blockquote>a</blockquote></blockquote>", "> a\n"),
        ("<dl><dt>a<dd>b</dl>", "**a**\n\n- b\n"),
        ("<dl><dd>a<dd>b</dl>", "a\n\nb\n"),
        (
            "<ol><li>one and more<blockquote>a</blockquote><li>two</ol>",
            "1. one and more\n\n   > a\n\n2. two\n",
        ),
        ("<dl><dt>a<dd>b</dl><dl><dt>c<dd>d</dl>", "**a**\n\n- b\n\n**c**\n\n- d\n"),
        // Tables of data and of layout.
        ("<table><tr><th>a<th>b<tr><td>c<td>x</table>", "| a | b |\n| --- | --- |\n| c | |\n"),
        ("<table><tr><td>a<td>b</table>", "a\n\nb\n"),
        ("<table><tr><td><h1>a</h1><td>b<tr><td>c<td>d</table>", "## a\n\nb\n\nc\n\nd\n"),
        ("<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd\n"),
        // Line breaks.
        ("a<br>b<br><br>c", "a\\\nb\n\nc\n"),
        ("a<br>x<br>c", "a\n\nc\n"),
        ("<h2>a<br>b</h2>", "## a b\n"),
        ("<b>a<br>b</b>", "**a\\\nb**\n"),
        // Spaces stand outside of markup.
        ("<p>a<b> b </b>c <i>d</i>", "a **b** c *d*\n"),
        ("<p>un<b>believ</b>able", "un**believ**able\n"),
        ("<p><b>a,</b><b>b<i>c</i></b><b><i>d</i></b> e", "**a,b<em>cd</em>** e\n"),
        ("<p><b>a,</b>b", "<strong>a,</strong>b\n"),
        ("<a href=/b><div>a</div></a>", "[a](https://test.example/b)\n"),
        ("<p><a href=/a>a</a><a href=/b>b</a>", "[a](https://test.example/a) [b](https://test.example/b)\n"),
        ("<p><a href=javascript:x>a</a> <a href='#'>b</a>", "a b\n"),
        ("<code>a <b>b</b></code>", "`a` **`b`**\n"),
        ("<p><q>a</q> H<sub>2</sub>O<sup>x</sup>", "\"a\" H<sub>2</sub>O<sup>x</sup>\n"),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", "漢(kan)字\n"),
        ("<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>だ", "漢(kan)字(ji)だ\n"),
        // Rules stand between kept text.
        ("<hr><p>a<hr><p>b<hr>", "a\n\n* * *\n\nb\n"),
        ("<p>x<hr><p>b", "b\n"),
        // Heading levels are an outline below the title.
        ("<h1>a</h1><h4>b</h4><h1>c</h1>", "## a\n\n### b\n\n## c\n"),
        ("<h3>a</h3><h2>b</h2><h4>c</h4><h3>d</h3>", "## a\n\n## b\n\n### c\n\n### d\n"),
        ("<h1>Title</h1><p>a<h2>b</h2>", "# Title\n\na\n\n## b\n"),
        ("<p>a<h1>Title</h1><h2>b</h2>", "a\n\n## Title\n\n### b\n"),
        // The attribution is part of the quotation.
        ("<blockquote cite=/s><p>a</p><cite>Ada</cite></blockquote>", "> a\n>\n> *Ada*\n"),
        ("<figure><blockquote>a</blockquote><figcaption>Ada</figcaption></figure>b", "> a\n>\n> Ada\n\nb\n"),
        // Preformatted text.
        ("<pre class='code brush: c; x'>\n  a\n<i>\t</i>b<br>  c\n\n</pre>", "```c\n  a\n\tb\n  c\n```\n"),
        ("<pre><div>a</div><div>x</div><div>b</div></pre>", "```\na\nb\n```\n"),
        ("<pre><code><i>9</i>let a\n<i>10</i>\n<i>11</i>let b</code></pre>", "```\nlet a\n\nlet b\n```\n"),
        ("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```\n"),
        ("<pre><b>10</b> PRINT\n<b>20</b> GOTO 10</pre>", "```\n10 PRINT\n20 GOTO 10\n```\n"),
        // Footnotes.
        (
            "<p>a<sup><a href=#fn1>[1]</a></sup> b<a class=footnote-ref href=#other>2</a>\
             <ol><li id=fn1>first <a href=#r>↩</a><li id=other>second</ol>",
            "a[^1] b[^2]\n\n[^1]: first\n\n[^2]: second\n",
        ),
        (
            "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>x",
            "a<sup>[1](https://test.example/dir/page#fn1)</sup>\n",
        ),
        // Signs in words.
        ("<p>1<u>. a</u>", "1\\. a\n"),
        ("<p># a *b* [c]", "\\# a \\*b\\* \\[c\\]\n"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn calls_of_dropped_notes_lead_nowhere() {
    let page = Page::parse("<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>b");
    let mut document = Document::default();
    document.content = compose(&page, &[true, false], &ComposeOptions::default());
    assert_eq!(document.to_markdown(), "a<sup>1</sup>\n");
}

#[test]
fn lists_of_posts_are_taken_apart() {
    let page = Page::parse("<ol><li>one<li>two<ul><li>three<li>four</ul></ol>");
    let posts: Vec<u32> = (0..page.elements.len() as u32)
        .filter(|row| {
            page.elements.name[*row as usize] == Name::LI && page.elements.depth[*row as usize] == 3
        })
        .collect();
    let mut document = Document::default();
    document.content =
        compose(&page, &[true; 4], &ComposeOptions { url: None, posts: &posts, ..ComposeOptions::default() });
    assert_eq!(document.to_markdown(), "one\n\ntwo\n\n- three\n- four\n");
}

#[test]
fn long_quotations_of_most_of_the_text_are_indentation() {
    let prose = "word ".repeat(200);
    let content = pieces(&format!("<blockquote><p>{prose}<p>b</blockquote>c"));
    assert_eq!(content.len(), 3);
    let content = pieces(&format!("<blockquote><p>{prose}<p>b</blockquote><p>{prose}<p>{prose}"));
    assert!(matches!(content[0].kind, Kind::Quote { .. }));
}

#[test]
fn quotations_and_lists_around_everything_are_layout() {
    let prose = "word ".repeat(90);
    let prose = prose.trim_end();
    // Forums put each post into a quotation, and what it quotes into another.
    let post = format!("<li><h3>a</h3><blockquote>{prose}<blockquote>b</blockquote></blockquote>");
    let content = pieces(&format!("<ol>{}</ol>", post.repeat(3)));
    assert_eq!(content.len(), 9, "heading, text and quotation of each post");
    assert!(
        matches!(content[1].kind, Kind::Paragraph { .. }) && matches!(content[2].kind, Kind::Quote { .. })
    );
    // A page in one list, and a list of lines.
    let content = pieces(&format!("<ul><li><p>{prose}<p>{prose}<li><p>{prose}<p>{prose}</ul>"));
    assert!(content.len() == 4 && matches!(content[0].kind, Kind::Paragraph { .. }));
    let content = pieces(&format!("<ul>{}</ul>", "<li>flour, butter and eggs".repeat(40)));
    assert!(matches!(content[..], [Piece { kind: Kind::List { .. }, .. }]));
    let cited = &pieces("<blockquote cite=/s>a</blockquote>")[0].kind;
    assert!(matches!(cited, Kind::Quote { cite: Some(url), .. } if url == "https://test.example/s"));
}

#[test]
fn tables_keep_their_grid() {
    let html = "<table><tr><th>a<th>b<tr><td rowspan=9>c<td>x<tr><td>x<tr><td>d<tr><td>x<td>x</table>";
    let Kind::Table { rows, .. } = &pieces(html)[0].kind else { panic!() };
    let shape = |row: &TableRow| row.cells.iter().map(|cell| !cell.content.is_empty()).collect::<Vec<_>>();
    let shapes: Vec<_> = rows.iter().map(shape).collect();
    assert_eq!(shapes, [vec![true, true], vec![true, false], vec![false], vec![true], vec![false, false]]);
    assert_eq!(rows[1].cells[0].rowspan, 4, "spans end with the table");
}

#[test]
fn pictures_go_with_the_text_around_them() {
    for (html, sources) in [
        ("<div><p>a<p><img src=i><p>b</div>", vec!["i"]),
        ("<div><p>a<p><img src=i></div><div><p>x</div>", vec!["i"]),
        ("<div><p>a</div><div><p>x<img src=i></div>", vec![]),
        // The picture of an advertisement.
        ("<article><p>a<div><p>x</p><img src=i></div><p>b</article>", vec![]),
        ("<p>a<p><img src=data:x data-src=i.jpg><p>b", vec!["i.jpg"]),
        ("<p>a<p><img srcset='s.jpg 1x, l.jpg 2x'><p>b", vec!["l.jpg"]),
        (
            "<p>a<p><picture><source srcset='p.webp 400w, q.webp 800w'><img src=blank.gif></picture><p>b",
            vec!["q.webp"],
        ),
        ("<p>a<p><img srcset='s.jpg?a,b 400w,l.jpg 800w 9h,m.jpg 600w'><p>b", vec!["l.jpg"]),
        ("<p>a<p><img src=i width=1 height=1><p>b", vec![]),
        ("<p>a<p><img src=i width=16 height=16><p>b", vec![]),
        ("<p>a<p><img src=i role=presentation><p>b", vec![]),
        ("<p>a<p><img src=i><noscript><img src=i></noscript><p>b", vec!["i"]),
        ("<p>a<p><img src=spacer.gif><noscript><img src=i></noscript><p>b", vec!["i"]),
        ("<p>a<p><img src=i><img src=i><p>b", vec!["i"]),
        ("<p>a<p style='display:none'><img src=i><p>b", vec![]),
        ("<p>a<p><img src=i style='display: none'><p>b", vec![]),
        ("<p>a<p><img src=data:x data-src=i.jpg style='display: none'><p>b", vec!["i.jpg"]),
        ("<p>a<amp-img src=i><noscript><img src=i></noscript></amp-img><p>b", vec!["i"]),
        ("<p>a<ul><li><img src=i><li><img src=j></ul><p>b", vec!["i", "j"]),
        // A box without height waits for its picture.
        ("<p>a<div style='height:0;overflow:hidden;padding-bottom:66%'><img src=i></div><p>b", vec!["i"]),
        ("<p>a<p><img src='//:0' data-lazy-srcset='s.jpg 1x, l.jpg 2x'><p>b", vec!["l.jpg"]),
        ("<p>a<p><a href=l.jpg><img src=data:x></a><p>b", vec!["l.jpg"]),
        ("<p>a<p><img src=i width=570 height=0><p>b", vec!["i"]),
        ("<p>a<p><img src=i width=700 role=presentation><p>b", vec!["i"]),
        // Icons, trackers, and what is all over the page.
        ("<p>a<p><img src=/icons/zoom.svg><p>b<p><img src=site-logo.png><p>c", vec![]),
        ("<p>a<p><a href=n><img src=next.gif></a><img src=nav/up2.png><img src=rating_4.gif><p>b", vec![]),
        (
            "<p>a<p><img src=next.png width=600><p>b<p><img src=next-wave.png><p>c",
            vec!["next.png", "next-wave.png"],
        ),
        ("<p>a<p><img src='https://counter.test.example/p?c1=2'><p>b", vec![]),
        ("<p>a<noscript><img src=https://count.example/pv></noscript><p>b", vec![]),
        ("<p>a<p><img src=i><p>b<p><img src=i><p>c<p><img src=i><p>d", vec![]),
        ("<p>a<div class=author-box><img src=i></div><p>b", vec![]),
        // The figure above the text of an article, however deep, but no teaser.
        (
            "<article><header><p>x<div><div><figure><div><img src=i></div></figure></div></div><p>x</header>\
             <div><div><p>a<p>b</div></div></article>",
            vec!["i"],
        ),
        (
            "<article><header><p>x<figure><a href=/other><img src=i></a></figure><p>x</header><div><p>a</div></article>",
            vec![],
        ),
        (
            "<article><figure class=hide-for-print><img src=i></figure><p class=share>x<div><div><p>a</div></div></article>",
            vec!["i"],
        ),
        ("<main><p>a</main><article><p>x<figure><img src=i></figure></article>", vec![]),
    ] {
        let content = pieces(html);
        let images = content.iter().filter_map(|piece| match &piece.kind {
            Kind::Image(image) => Some(image.src.trim_start_matches("https://test.example/dir/")),
            _ => None,
        });
        assert_eq!(images.collect::<Vec<_>>(), sources, "{html}");
    }
    assert_eq!(markdown("<p>a <img src=/i alt=b> c"), "a ![b](https://test.example/i) c\n");
}

#[test]
fn captions_belong_to_their_pictures_kept_or_not() {
    let image = |caption: &str| {
        let caption = vec![Inline::text(caption)];
        Kind::Image(Image { src: "https://test.example/i".into(), alt: "a".into(), caption })
    };
    for (html, caption) in [
        ("<p>a<figure><img src=/i alt=a><figcaption>c</figcaption></figure><p>b", "c"),
        ("<p>a<figure><figcaption>x</figcaption><img src=/i alt=a></figure><p>b", "x"),
        ("<p>a<div class=wp-caption><img src=/i alt=a><p class=wp-caption-text>x</p></div><p>b", "x"),
        (
            "<p>a<div><figure><noscript><img src=/i alt=a></noscript><figcaption>x</figcaption></figure></div><p>b",
            "x",
        ),
    ] {
        let content = pieces(html);
        assert_eq!(content[1].kind, image(caption), "{html}");
        let place = content[1].span.of(html);
        let holds_caption = place.starts_with(caption) || place.ends_with(caption);
        assert!(place.contains("<img") && holds_caption, "{html}: {place}");
        assert_eq!(content[1].blocks.is_empty(), caption == "x", "{html}");
        assert_eq!(content.len(), 3, "{html}");
    }
    let offer = "<p>a<div class=image-box><img src=/i alt=a><p>c</p><p>x buy</p></div><p>b";
    assert_eq!(pieces(offer)[1].kind, image("c"));
    let button = "<p>a<figure><div role=button><p>x enlarge</p><img src=/i alt=a></div><figcaption>x</figcaption></figure>b";
    assert_eq!(pieces(button)[1].kind, image("x"));
    let outside = "<p>x<figure><img src=/i><figcaption>x</figcaption></figure><p>x";
    assert_eq!(pieces(outside), []);
    let listing = "<figure><figcaption>c</figcaption><pre>a</pre></figure>";
    assert_eq!(markdown(listing), "c\n\n```\na\n```\n");
}

#[test]
fn formulas_stand_there_once() {
    let formulas = |html: &str| -> Vec<Formula> {
        let of_piece = |piece: Piece| match piece.kind {
            Kind::Formula(formula) => vec![formula],
            Kind::Paragraph { content } => content
                .into_iter()
                .filter_map(|inline| match inline {
                    Inline::Formula(formula) => Some(*formula),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        pieces(html).into_iter().flat_map(of_piece).collect()
    };
    let katex = formulas(
        "<p>a <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation \
         encoding=application/x-tex>x^2</annotation></semantics></math></span><span class=katex-html>x2</span></span>",
    );
    assert_eq!(katex.len(), 1);
    assert_eq!(katex[0].tex.as_deref(), Some("x^2"));
    let script = formulas("<p>a <span class=MathJax_Preview>y</span><script type=math/tex>y^2</script> b");
    assert_eq!(script.iter().map(Formula::source).collect::<Vec<_>>(), ["y^2"]);
    let wiki =
        formulas("<p>a <math display=block alttext='{\\displaystyle z}' onclick=x><mi href=y>z</mi></math>");
    assert_eq!((wiki[0].source(), wiki[0].display), ("z", true));
    assert_eq!(formulas("<p>a<p hidden><math><mi>x</mi></math>"), []);
}

#[test]
fn every_piece_says_where_it_stood() {
    let html = "<div><p>a<ul><li>b</ul></div>";
    let content = pieces(html);
    let list = &content[1];
    assert_eq!((list.path.as_str(), list.span.of(html)), ("/html/body/div/ul", "<ul><li>b</ul>"));
    let Kind::List { items, .. } = &list.kind else { panic!() };
    let item = &items[0].content[0];
    assert_eq!((item.path.as_str(), item.span.of(html)), ("/html/body/div/ul/li", "b"));
    assert_eq!((&list.blocks, &item.blocks), (&vec![], &vec![1]));
}

#[test]
fn nesting_is_bounded() {
    fn depth(pieces: &[Piece]) -> usize {
        pieces.iter().map(|piece| 1 + piece.parts().map(depth).max().unwrap_or(0)).max().unwrap_or(0)
    }
    for tag in ["<ul><li>a", "<blockquote>a", "<dl><dt>t<dd>a"] {
        assert!(depth(&pieces(&tag.repeat(100))) <= MAX_NESTING + 1, "{tag}");
    }
    let content = pieces(&format!("<p>{}deep", "<b><i><u><s><q><sub><sup><mark><em>".repeat(9)));
    let Kind::Paragraph { content } = &content[0].kind else { panic!() };
    let (mut depth, mut inside) = (0, content.as_slice());
    while let [inline] = inside {
        depth += 1;
        inside = inline.content();
    }
    assert_eq!(depth, MAX_INLINE_NESTING + 1);
    assert!(matches!(content[0], Inline::Styled { style: Style::Strong, .. }));
}
