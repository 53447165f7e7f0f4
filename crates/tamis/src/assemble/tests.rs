use crate::document::{Document, Formula, Image, Inline, Kind};
use crate::{Judgement, Options, Page, assemble};

fn all(html: &str) -> Document {
    let page = Page::parse(html).with_url("https://test.example/dir/page");
    assemble(&page, &Judgement::of(page.blocks().iter().map(|block| block.hidden.is_none())))
}

/// Keeps the blocks whose text does not begin with `x`.
fn some(html: &str) -> Document {
    let page = Page::parse(html).with_url("https://test.example/dir/page");
    assemble(&page, &Judgement::of(page.blocks().iter().map(|block| !page.text(block).starts_with('x'))))
}

fn markdown(document: &Document) -> String {
    document.to_markdown(&Options::all())
}

#[test]
fn a_list_keeps_the_items_that_are_kept_and_their_numbers() {
    assert_eq!(markdown(&some("<ol><li>x<li>b<li>x<li>c</ol>")), "2. b\n3. c\n");
    assert_eq!(markdown(&some("<ul><li>x<ul><li>b</ul><li>x</ul>")), "- - b\n");
    assert_eq!(markdown(&some("<ul><li>x</ul>")), "");
    assert_eq!(markdown(&all("<ul>a<li>b</li><ul><li>c</ul></ul>")), "- a\n- b\n  - c\n");
}

#[test]
fn items_without_a_list_are_paragraphs() {
    assert_eq!(markdown(&all("<div><li>a<li>b</div>")), "a\n\nb\n");
}

#[test]
fn tables_of_data_keep_their_grid() {
    let document =
        some("<table><tr><th>a<th>b<tr><td>x<td>c<tr><td>x<td>x<tr><td colspan=0>d<td rowspan=0>e</table>");
    let Kind::Table { rows, .. } = &document.content[0].kind else { panic!() };
    let shape: Vec<Vec<bool>> =
        rows.iter().map(|row| row.cells.iter().map(|cell| !cell.content.is_empty()).collect()).collect();
    assert_eq!(shape, [vec![true, true], vec![false, true], vec![true, true]]);
    assert!(rows.iter().flat_map(|row| &row.cells).all(|cell| cell.colspan == 1 && cell.rowspan == 1));
}

#[test]
fn rows_that_a_cell_reaches_into_stay() {
    let document = some("<table><tr><th>a<th>b<tr><td rowspan=9>c<td>x<tr><td>x<tr><td>d</table>");
    let Kind::Table { rows, .. } = &document.content[0].kind else { panic!() };
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1].cells[0].rowspan, 3);
}

#[test]
fn tables_that_lay_out_a_page_are_taken_apart() {
    assert_eq!(markdown(&all("<table><tr><td>a<td>b</table>")), "a\n\nb\n");
    assert_eq!(
        markdown(&all("<table><tr><td><h1>a</h1><td>b<tr><td>c<td>d</table>")),
        "# a\n\nb\n\nc\n\nd\n"
    );
    assert_eq!(
        markdown(&all("<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>")),
        "a\n\nb\n\nc\n\nd\n"
    );
    let nested = all("<table><tr><th>a<th>b<tr><td>c<td><table><tr><th>d<th>e<tr><td>f<td>g</table></table>");
    assert_eq!(nested.content.len(), 4, "the inner one holds data");
    let prose = format!("<table><tr><td>a<td>{0}<tr><td>b<td>{0}</table>", "word ".repeat(200));
    assert_eq!(all(&prose).content.len(), 4);
}

#[test]
fn line_breaks_part_lines_and_paragraphs() {
    assert_eq!(markdown(&all("a<br>b<br><br>c")), "a\\\nb\n\nc\n");
    assert_eq!(markdown(&some("a<br>x<br>c")), "a\n\nc\n", "what stood between is gone");
    assert_eq!(markdown(&all("<h2>a<br>b</h2>")), "## a b\n");
    assert_eq!(markdown(&all("<b>a<br>b</b>")), "**a\\\nb**\n");
}

#[test]
fn spaces_stand_outside_of_styles() {
    assert_eq!(markdown(&all("<p>a<b> b </b>c <i>d</i>")), "a **b** c *d*\n");
    assert_eq!(markdown(&all("<a href=/b><div>a</div></a>")), "[a](https://test.example/b)\n");
    assert_eq!(markdown(&all("<code>a <b>b</b></code>")), "`a` **`b`**\n");
}

#[test]
fn preformatted_text_keeps_its_white_space() {
    let document = all("<pre class='code brush: c; x'>\n  a\n<span>\t</span>b<br>  c\n\n</pre>");
    let Kind::Code { language, text } = &document.content[0].kind else { panic!() };
    assert_eq!((language.as_deref(), text.as_str()), (Some("c"), "  a\n\tb\n  c\n"));
    let document = some("<pre><div>a</div><div>x</div><div>b</div></pre>");
    assert_eq!(document.to_text(&Options::default()), "a\nb\n");
}

#[test]
fn the_language_of_code_is_found_where_pages_put_it() {
    for html in [
        "<pre><code class='hljs language-rust'>a</code></pre>",
        "<pre class=lang-rust>a</pre>",
        "<div class='highlight highlight-source-rust'><pre>a</pre></div>",
        "<pre data-lang=Rust>a</pre>",
    ] {
        let document = all(html);
        let Kind::Code { language, .. } = &document.content[0].kind else { panic!() };
        assert_eq!(language.as_deref(), Some("rust"), "{html}");
    }
}

#[test]
fn pictures_go_with_the_text_around_them() {
    let pictures = |html: &str| {
        let mut found = Vec::new();
        for piece in some(html).content {
            if let Kind::Image(image) = piece.kind {
                found.push(image.src.trim_start_matches("https://test.example/dir/").to_owned());
            }
        }
        found
    };
    assert_eq!(pictures("<div><p>a<p><img src=i><p>b</div>"), ["i"]);
    assert_eq!(
        pictures("<div><p>a<p><img src=i></div><div><p>x</div>"),
        ["i"],
        "at the end of the container"
    );
    assert_eq!(pictures("<div><p>a</div><div><p>x<img src=i></div>"), [""; 0]);
    assert_eq!(
        pictures("<article><p>a<div><p>x</p><img src=i></div><p>b</article>"),
        [""; 0],
        "the ad's own"
    );
    assert_eq!(pictures("<p>a<p><img src=data:x data-src=i><p>b"), ["i"]);
    assert_eq!(pictures("<p>a<p><img src=i width=1 height=1><p>b"), [""; 0]);
    assert_eq!(pictures("<p>a<noscript><img src=i></noscript><p>b"), [""; 0]);
}

#[test]
fn captions_belong_to_their_pictures() {
    let caption = vec![Inline::text("c")];
    let image = Image { src: "https://test.example/i".into(), alt: "a".into(), caption };
    for html in [
        "<figure><img src=/i alt=a><figcaption>c</figcaption></figure>",
        "<figure><figcaption>c</figcaption><img src=/i alt=a></figure>",
        "<p>x<p>x<figure><div><img src=/i alt=a></div><figcaption><p>c</p></figcaption></figure><p>x",
    ] {
        assert_eq!(some(html).content[0].kind, Kind::Image(image.clone()), "{html}");
    }
    let document = all("<div><img src=/i alt=a><p class=wp-caption-text>c</p></div>");
    assert_eq!(document.content[0].kind, Kind::Image(image));
    assert!(some("<figure><img src=/i><figcaption>x</figcaption></figure>").content.is_empty());
    let listing = all("<figure><figcaption>c</figcaption><pre>a</pre></figure>");
    assert_eq!(listing.to_text(&Options::default()), "c\na\n");
}

#[test]
fn formulas_stand_there_once() {
    let formulas = |html: &str| -> Vec<Formula> {
        let document = all(html);
        let mut found = Vec::new();
        for piece in document.content {
            match piece.kind {
                Kind::Formula(formula) => found.push(formula),
                Kind::Paragraph { content } => {
                    found.extend(content.into_iter().filter_map(|inline| match inline {
                        Inline::Formula(formula) => Some(formula),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        found
    };
    let katex = formulas(
        "<p>a <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation \
         encoding=application/x-tex>x^2</annotation></semantics></math></span><span class=katex-html>x2</span></span>",
    );
    assert_eq!(katex.len(), 1);
    assert_eq!(katex[0].tex.as_deref(), Some("x^2"));
    let mathml = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math>";
    assert_eq!(katex[0].mathml.as_deref(), Some(mathml));
    let script = formulas("<p>a <span class=MathJax_Preview>y</span><script type=math/tex>y^2</script> b");
    assert_eq!(script.len(), 1);
    assert_eq!(script[0].source(), "y^2");
    let wiki =
        formulas("<p>a <math display=block alttext='{\\displaystyle z}' onclick=x><mi href=y>z</mi></math>");
    assert_eq!((wiki[0].source(), wiki[0].display), ("z", true));
    assert!(!wiki[0].mathml.as_deref().unwrap().contains("href"));
    assert_eq!(formulas("<p>a<p hidden><math><mi>x</mi></math>"), []);
}

#[test]
fn footnotes_and_their_calls_find_each_other() {
    let html = "<p>a<sup><a href=#fn1>[1]</a></sup> b<a class=footnote-ref href=#other>2</a>\
                <ol><li id=fn1>first <a href=#r>↩</a><li id=other>second</ol>";
    assert_eq!(markdown(&all(html)), "a[^1] b[^2]\n\n[^1]: first\n\n[^2]: second\n");
    // A note that is not kept is not called.
    let html = "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>x";
    assert_eq!(markdown(&some(html)), "a<sup>[1](https://test.example/dir/page#fn1)</sup>\n");
    // The way back from a note is no call, and what it leads to no note.
    let html = "<p>a<a name=_ftnref1 href=#_ftn1>[1]</a><p><a name=_ftn1 href=#_ftnref1>[1]</a> note";
    let document = all(html);
    assert!(matches!(document.content[1].kind, Kind::Footnote { .. }));
    assert!(matches!(document.content[0].kind, Kind::Paragraph { .. }));
}

#[test]
fn every_piece_says_where_it_stood() {
    let html = "<div><p>a<ul><li>b</ul></div>";
    let document = all(html);
    let list = &document.content[1];
    assert_eq!((list.path.as_str(), list.span.of(html)), ("/html/body/div/ul", "<ul><li>b</ul>"));
    let Kind::List { items, .. } = &list.kind else { panic!() };
    let item = &items[0].content[0];
    assert_eq!((item.path.as_str(), item.span.of(html)), ("/html/body/div/ul/li", "b"));
    assert_eq!((&list.blocks, &item.blocks), (&vec![], &vec![1]));
}

#[test]
fn paths_are_those_of_the_tree() {
    let html = "<p>a<p>b<div>c<span>d</span></div><x-y><p>e</x-y><table><tr><td>f<td>g<tr><td>h<td>i</table>";
    let page = Page::parse(html);
    let mut paths = crate::paths::Paths::default();
    for node in page.dom().descendants().filter(|node| node.is_element()) {
        assert_eq!(paths.of(node), node.path());
    }
}

#[test]
fn many_siblings_take_no_longer_than_they_should() {
    // Counting siblings for each path would take minutes.
    let html = "<p>a".repeat(200_000);
    let start = std::time::Instant::now();
    assert_eq!(all(&html).content.len(), 200_000);
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn titles_come_from_the_text_first() {
    assert_eq!(all("<title>a - b</title><h1>a</h1>").title.as_deref(), Some("a"));
    assert_eq!(some("<title>a - b</title><h1>x</h1>").title.as_deref(), Some("a - b"));
    assert_eq!(all("<p>a").title, None);
    assert_eq!(all("<html lang=' ug '><p>a").language.as_deref(), Some("ug"));
}
