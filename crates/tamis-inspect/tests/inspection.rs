//! An inspection holds what it says: its schema, its bounds, its links between points and blocks, its self-contained file.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tamis::classify::RepeatedLines;
use tamis::page::Page;
use tamis::{Bias, Extractor, Input, PageLimits};
use tamis_html::Name;
use tamis_inspect::{BlockClass, InspectOptions, Inspection, assets, inspect, standalone};

const STORY: &str = "<title>Bridge opens - Gazette</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>\
    <article><h1>Bridge opens</h1><p>By Ada Finch</p><p>The new bridge over the harbour opened on Monday, after four \
    years of work and two winters that stopped it.</p><figure><img src=b.jpg><figcaption>The bridge in the evening sun, \
    seen from the old pier.</figcaption></figure><p>Its builders say that it will stand for a century, and the council \
    has planned a market for the square below it.</p></article><footer>All rights reserved.</footer>";

fn inspected(html: &str) -> Inspection {
    // What a page may cost is tested elsewhere, and a busy machine takes any time.
    let mut limits = PageLimits::default();
    limits.timeout = None;
    let extractor = Extractor::builder().comments(true).limits(limits).build();
    inspect(&extractor, Input::text(html), &InspectOptions::default()).expect("an inspection")
}

fn example(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    fs::read_to_string(&file).expect("an example")
}

fn text_of(inspection: &Inspection, block: u32) -> &str {
    &inspection.blocks[block as usize].text
}

#[test]
fn the_json_is_as_its_schema_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/inspection-1.json");
    let mut compiler = boon::Compiler::new();
    let schema = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    compiler.add_resource("inspection-1.json", schema).unwrap();
    let mut schemas = boon::Schemas::new();
    let index = compiler.compile("inspection-1.json", &mut schemas).unwrap();
    let pages = ["harbour-news.html", "chinese-news.html", "uyghur-forum.html"].map(example);
    for html in pages.iter().map(String::as_str).chain(["", STORY]) {
        let json: Value = serde_json::to_value(inspected(html)).unwrap();
        schemas.validate(&json, index).unwrap_or_else(|error| panic!("{error:#}"));
    }
    assert!(schemas.validate(&serde_json::json!({ "schema": 1, "blocks": [{}] }), index).is_err());
}

#[test]
fn blocks_have_class_evidence_verdicts_and_place() {
    let inspection = inspected(STORY);
    let classes: Vec<_> = inspection.blocks.iter().map(|block| block.class).collect();
    assert!(classes.contains(&BlockClass::Title) && classes.contains(&BlockClass::Main), "{classes:?}");
    let caption = inspection.blocks.iter().find(|block| block.text.starts_with("The bridge in")).unwrap();
    assert!(matches!(caption.class, BlockClass::Caption | BlockClass::Noise | BlockClass::Related));
    for block in &inspection.blocks {
        let [start, end] = block.span.map(|at| at as usize);
        let first = block.text.split_whitespace().next().unwrap();
        assert!(STORY[start..end].contains(first), "{}", block.text);
        assert!(block.path.starts_with("/html") && !block.evidence.is_empty() && block.methods.len() == 8);
    }
    let title = &inspection.metadata[0];
    assert_eq!(title.value.as_deref(), Some("Bridge opens"));
    let chosen = title.candidates.iter().find(|candidate| candidate.chosen).unwrap();
    assert!(chosen.signs.iter().map(|sign| sign.weight).sum::<f32>() - chosen.score < 0.01);
    assert!(title.why.contains("score"), "{}", title.why);
    assert!(inspection.result.markdown.contains("# Bridge opens") && inspection.result.html.contains("<h1>"));
}

/// A name that is too uncertain to be given is no winner.
#[test]
fn metadata_names_a_winner_only_where_there_is_a_value() {
    let pages = ["harbour-news.html", "chinese-news.html", "uyghur-forum.html"].map(example);
    let doubtful = STORY.replace("By Ada Finch", "<span class=author>admin</span>");
    for html in pages.iter().map(String::as_str).chain(["", STORY, &doubtful]) {
        for field in inspected(html).metadata {
            let has_winner = field.candidates.iter().any(|candidate| candidate.chosen);
            assert!(field.value.is_some() || !has_winner && !field.why.contains("score"), "{field:?}");
        }
    }
}

#[test]
fn every_point_of_a_curve_leads_to_its_blocks() {
    let inspection = inspected(STORY);
    let curve = |method: &str| inspection.curves.iter().find(|curve| curve.method == method).unwrap();
    for method in ["fused", "blocks", "correlation", "containers"] {
        let curve = curve(method);
        for series in &curve.series {
            assert_eq!(series.values.len(), curve.blocks.len(), "{method}");
        }
        let ranges: Vec<[u32; 2]> = curve.blocks.iter().flatten().copied().collect();
        assert!(!ranges.is_empty(), "{method}");
        assert!(
            ranges.iter().all(|[from, to]| from < to && *to as usize <= inspection.blocks.len()),
            "{method}"
        );
    }
    // The longest text block of the paper is the longest block of the page.
    let lengths = curve("blocks");
    let highest = (0..lengths.blocks.len())
        .max_by(|a, b| lengths.series[0].values[*a].total_cmp(&lengths.series[0].values[*b]))
        .unwrap();
    assert!(text_of(&inspection, lengths.blocks[highest].unwrap()[0]).starts_with("Its builders say"));
    // The first element is the body, with all blocks.
    assert_eq!(curve("correlation").blocks[0], Some([0, inspection.blocks.len() as u32]));
}

#[test]
fn the_bias_moves_the_threshold_and_the_result_is_nested() {
    let extract = |percent| {
        let bias = Bias::Percent(percent);
        let extractor = Extractor::builder().bias(bias).build();
        let options = InspectOptions { bias, ..InspectOptions::default() };
        inspect(&extractor, Input::text(STORY), &options).unwrap()
    };
    let steps: Vec<Inspection> = [-100, -50, 0, 50, 100].map(extract).into();
    for pair in steps.windows(2) {
        assert!(pair[0].page.threshold >= pair[1].page.threshold);
        let lost = pair[0].blocks.iter().zip(&pair[1].blocks).find(|(one, other)| one.kept && !other.kept);
        assert_eq!(lost, None);
    }
    assert_eq!(steps[1].page.bias, -0.5);
}

#[test]
fn the_site_memory_speaks_on_blocks_that_it_knows() {
    let mut memory = RepeatedLines::default();
    (0..4).for_each(|_| memory.observe(&Page::parse("<footer>All rights reserved.</footer>")));
    let input = Input::text(STORY).site(&memory);
    let inspection = inspect(&Extractor::new(), input, &InspectOptions::default()).unwrap();
    assert_eq!(inspection.page.site_pages, Some(4));
    let known: Vec<_> =
        inspection.blocks.iter().filter_map(|block| Some((&*block.text, block.site.as_ref()?))).collect();
    assert!(matches!(known[..], [("All rights reserved.", site)] if site.pages == 4), "{known:?}");
}

#[test]
fn the_page_for_display_can_neither_run_nor_load() {
    let hostile = "<html onclick=x()><body background=//x.invalid/a onload=x()><script>alert(1)</script><p onmouseover=x()>\
        One text</p><a href='javascript:x()' ping=//x.invalid>Two</a><img src=//x.invalid/b.png srcset=//x.invalid/c \
        onerror=x()><img src='data:image/svg+xml;base64,AAAA'><iframe srcdoc='<script>x()</script>'></iframe><svg><style>\
        <img src=x onerror=x()></style><script>x()</script><a xlink:href=javascript:x()>t</a></svg><math><mtext><script>x()\
        </script></mtext></math><form action=//x.invalid><input autofocus onfocus=x()><button formaction=javascript:x()>Go\
        </button></form><object data=x.swf></object><embed src=x><video src=x onerror=x()></video><meta http-equiv=refresh \
        content='0;url=//x.invalid'><base href=//x.invalid><link rel=stylesheet href=//x.invalid/s.css><template><script>\
        x()</script></template><noscript><p title='</noscript><img src=x onerror=x()>'></noscript><xmp><script>x()</script>\
        </xmp><my-element is=x slot=y name=body id=body>Three</my-element><p style='background:url(//x.invalid)'>Four<style>\
        p{color:red}</style>";
    let view = inspected(hostile).view.unwrap();
    let dom = tamis_html::parse(&view.html);
    for node in dom.descendants().filter(|node| node.is_element()) {
        let name = node.name().unwrap();
        let harmless = "html head body meta p a img span div pre tamis-b";
        assert!(harmless.split(' ').any(|known| known == name), "{name} in {}", view.html);
        for attribute in node.attributes() {
            let is_policy = node.is(Name::META);
            let harmless = "n class id dir lang title data-style value";
            assert!(
                is_policy || harmless.split(' ').any(|known| known == attribute.name()),
                "{}",
                attribute.name()
            );
        }
    }
    assert_eq!(dom.descendants().filter(|node| node.is(Name::META)).count(), 2, "charset and policy");
    for (block, text) in ["One text", "Two", "Three", "Four"].into_iter().enumerate() {
        assert!(view.html.contains(text), "block {block}");
    }
    assert!(view.styles.contains("color:red"));
    assert!(!view.html.contains("url(//") && view.html.contains("background:url(data:,)"));
}

#[test]
fn large_pages_are_bounded() {
    let paragraph = "<p class=c>A line of text that says something about the harbour, the bridge and the people who walk over \
        it every day, in the morning to the market and in the evening back to their houses on the other side, and which is \
        long enough for five megabytes.</p>\n";
    let html = paragraph.repeat(20_000);
    let inspection = inspected(&html);
    assert!(html.len() > 4_900_000 && inspection.blocks.len() == 20_000, "{} bytes", html.len());
    assert!(inspection.blocks.iter().all(|block| block.evidence.len() <= 3));
    assert!(inspection.curves.iter().all(|curve| curve.blocks.len() <= 4_000));
    assert!(
        inspection.curves.iter().filter(|curve| curve.units >= 20_000).count() >= 4,
        "there was something to thin"
    );
    assert_eq!(inspection.left_out.len(), 1, "{:?}", inspection.left_out);
    let json = serde_json::to_vec(&inspection).unwrap();
    assert!(json.len() < 14 * html.len(), "{} bytes", json.len());
}

#[test]
fn the_file_is_whole_and_small() {
    let total: usize = assets().map(|asset| asset.text.len()).sum();
    assert!(total < 300_000, "{total} bytes");
    let hostile = "<p>It rained in the harbour on Monday, and </p><p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; was \
        the text on the wall of the bridge that day, until the rain took it.</p>";
    let inspection = inspected(hostile);
    let file = standalone(&inspection);
    let dom = tamis_html::parse(&file);
    let scripts: Vec<_> = dom.descendants().filter(|node| node.is(Name::SCRIPT)).collect();
    assert_eq!(scripts.len(), 2, "data and code");
    let data: Value = serde_json::from_str(&scripts[0].text_content()).unwrap();
    let json: Value = serde_json::from_str(&serde_json::to_string(&inspection).unwrap()).unwrap();
    assert!(data == json, "the data is the inspection");
    let code = scripts[1].text_content();
    assert!(!code.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    assert!(!file.contains("/assets/"), "it needs nothing else");
}
