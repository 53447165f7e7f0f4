//! Hostile pages: time and memory grow linearly with the page, through every stage and output format.

#![allow(clippy::print_stdout, reason = "the figures are for people to read")]
#![allow(clippy::unwrap_used, reason = "a test that fails by `unwrap` names its line")]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use tamis::document::{Document, Piece};
use tamis::page::HiddenText;
use tamis::render::RenderOptions;
use tamis::{ExtractError, Extractor, Input, PageLimits};
use tamis_testdata::cpu_time;

#[global_allocator]
static MEMORY: PeakMemAlloc<std::alloc::System> = PeakMemAlloc::new(std::alloc::System);

/// Tests take turns: memory is counted for the whole process.
static TURN: Mutex<()> = Mutex::new(());

const SMALL: usize = 128 << 10;
const GROWTH: usize = 4;
/// Time may grow by this much where the page grows by [`GROWTH`].
const MAX_TIME_RATIO: u32 = 8;
/// Shorter times say nothing.
const MIN_TIME: Duration = Duration::from_millis(30);
/// Peak memory over the size of the page.
const MAX_MEMORY_RATIO: usize = 60;
/// What any page may take: the features of 4096 blocks.
const FIXED_MEMORY: usize = 6 << 20;
/// Size of each output over the size of the page.
const MAX_OUTPUT_RATIO: usize = 40;

/// Names and templates. What is between `«` and `»` is repeated; `№` is its number.
const FAMILIES: &[(&str, &str)] = &[
    ("breaks", "<p>«a<br>»"),
    ("double breaks", "<p>«word one<br><br>»"),
    ("bare breaks", "<p>a«<br>»"),
    ("paragraphs", "«<p>It rained on day № and the river rose.»"),
    ("short paragraphs", "«<p>a»"),
    ("cells", "<table>«<tr><td>a<td>b»"),
    ("wide table", "<table><tr>«<th>a»<tr>«<td>b»"),
    ("data table", "<table><tr><th>x<th>y«<tr><td>№<td>b»</table>"),
    ("nested tables", "«<table><tr><td>a»"),
    ("table spans", "<table>«<tr><th colspan=1000 rowspan=65000>a<th>b»"),
    ("nested lists", "«<ul><li>a»"),
    ("flat list", "<ul>«<li>a»"),
    ("nested divs", "«<div>a»"),
    ("nested spans", "<p>«<span>a»"),
    ("deep and many", "«<div>»</div>«<p>a»"),
    ("deep tail", "<div><div><div><div><div><div><div><div><div><div><div><div><div><div><div><div>«<p>a»"),
    ("unclosed formatting", "«<p><b><i>It rained.»"),
    ("reopened formatting", "«<p><b><i><u>a»"),
    ("font adoption", "«<a><b><font><p>a</a>»"),
    ("quotes", "«<blockquote>a»"),
    ("empty quotes", "«<blockquote>»It rained."),
    ("flat quotes", "«<blockquote><p>He said so.</blockquote>»"),
    ("base", "<base href='https://a.example/«b»/'>«<a href=c>d</a> »"),
    (
        "long base",
        "<base href='https://a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb/'>«<p>e <a href=c>d</a> f.»",
    ),
    ("title parts", "<title>«Rain № | »</title>«<h1>Rain №</h1>»<p>It rained."),
    ("headings", "<title>Rain today</title>«<h2>Rain №</h2><p>It rained.»"),
    ("meta", "«<meta property='article:tag' content='rain №'>»<p>It rained."),
    ("meta authors", "«<meta name=author content='Ada Brook№'>»<p>It rained."),
    ("meta dates", "«<meta name=date content='2024-01-02T03:04:05Z'>»<p>It rained."),
    ("json-ld deep", "<script type='application/ld+json'>«{\"a\":»</script><p>a"),
    ("json-ld arrays", "<script type='application/ld+json'>«[»</script><p>a"),
    (
        "json-ld wide",
        "<script type='application/ld+json'>{\"@graph\":[«{\"@type\":\"Person\",\"@id\":\"№\",\"name\":\"Ada №\",\
         \"author\":{\"@id\":\"№\"}},»{\"@type\":\"Article\",\"headline\":\"Rain\"}]}</script><p>a",
    ),
    (
        "json-ld many",
        "«<script type='application/ld+json'>{\"@type\":\"Article\",\"headline\":\"Rain №\"}</script>»<p>a",
    ),
    ("classes", "«<p class='a№ post-№'>a»"),
    ("one long class", "<p class='«content »'>a«<p>b»"),
    ("dates", "«<p>12 March 2024, 10:№»"),
    ("times", "«<time datetime=2024-03-№>2 hours ago</time> »"),
    ("bylines", "«<p class=byline>By Ada Brook№</p>»<p>It rained."),
    (
        "comments",
        "<div id=comments>«<div class=comment><b class=author>Ada№</b><time>2024-03-01</time><p>It rained here too.</div>»",
    ),
    ("nested comments", "<div id=comments>«<div class=comment><b class=author>Ada№</b><p>It rained.»"),
    (
        "posts",
        "«<div class=post><a class=author>Ada№</a> <span class=date>1 March 2024 10:00</span>\
         <div class=body><blockquote>Ada wrote: it rained</blockquote>It rained here as well.</div></div>»",
    ),
    (
        "listing",
        "«<article><h2><a href=/№>Rain № in the harbour</a></h2><time>2024-03-01</time><p>It rained.</article>»",
    ),
    ("code", "<pre>«<span>let x = №;</span>\n»</pre>"),
    ("codes", "«<pre>a</pre>»"),
    ("breaks in code", "<pre>«a<br>»"),
    ("inline code", "<p>«<code>a</code> »"),
    ("formulas", "<p>«<math><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></math> »"),
    ("nested formulas", "<p><math>«<mrow><mi>x</mi>»"),
    (
        "katex",
        "<p>«<span class=katex><span class=katex-mathml><math><mi>x</mi></math></span><span class=katex-html>x</span></span> »",
    ),
    ("dollars", "<p>«$a$ \\(b\\) »"),
    ("footnotes", "«<p>a<sup><a href=#fn№>№</a></sup>»«<p id=fn№>b»"),
    ("one footnote", "«<p>a<sup><a href=#fn1>1</a></sup>»<p id=fn1>b"),
    ("images", "<p>a«<img src=i№.png srcset='a.png 1x, b.png 2x' alt=b>»"),
    ("one srcset", "<p>a<img srcset='«a№.png №w, »'>b"),
    ("figures", "«<figure><img src=i.png><figcaption>a</figcaption></figure>»"),
    ("long word", "<p>«a»"),
    ("spaces", "<p>a«  \n»b"),
    ("punctuation", "<p>«.,;»"),
    ("hidden spans", "<p>«a<span style='display:none'>b</span>»"),
    ("hidden nest", "«<div hidden>a»"),
    ("tag characters", "<p>a«\u{E0061}x»"),
    (
        "microdata",
        "«<div itemscope itemtype='https://schema.org/Person'><span itemprop=name>Ada №</span></div>»<p>a",
    ),
    (
        "nested microdata",
        "«<div itemscope itemtype='https://schema.org/Article' itemprop=a><span itemprop=name>b</span>»",
    ),
    ("noscript iframes", "«<noscript><iframe src=a></noscript><p>It rained.»"),
    ("attributes", "<p «a№=b »>c«<p a=b c=d e=f>d»"),
    ("definitions", "<dl>«<dt>a<dd>b»"),
    ("links", "<p>«<a href=/№>a</a>»"),
    ("bare links", "«<a href=a>»"),
    (
        "one link",
        "<a href='/uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu'>«a<br><br>»",
    ),
    ("rules", "«a<hr>»"),
    ("ruby", "<p>«<ruby>a<rt>b</rt></ruby>»"),
    ("tasks", "<ul>«<li><input type=checkbox>a»"),
    ("chinese", "<p>«今天下雨了，河水上涨。»"),
    ("arabic", "<p>«هطل المطر اليوم »"),
    ("references", "<p>«&amp;&lt;»"),
    ("markdown", "<p>«*_`[»"),
    ("breadcrumbs", "<nav class=breadcrumb>«<a href=/№>Rain №</a> › »</nav><p>a"),
    ("forms", "«<form><input><select><option>a</select><button>b</button></form>»"),
    ("templates", "«<template><p>a</template>»<p>b"),
    ("svg", "«<svg><path d='M0 0'/></svg>»<p>b"),
    ("custom elements", "«<x-№>a»"),
];

/// The page of a template, of about `bytes` bytes.
fn page(template: &str, bytes: usize) -> String {
    let share = bytes / template.matches('«').count();
    let mut page = String::with_capacity(bytes + template.len());
    for part in template.split('«') {
        let Some((unit, rest)) = part.split_once('»') else {
            page.push_str(part);
            continue;
        };
        let end = page.len() + share;
        let mut number = 0;
        while page.len() < end {
            number += 1;
            match unit.contains('№') {
                true => page.push_str(&unit.replace('№', &number.to_string())),
                false => page.push_str(unit),
            }
        }
        page.push_str(rest);
    }
    page
}

fn extractor(limits: PageLimits) -> Extractor {
    Extractor::builder().comments(true).hidden(HiddenText::Flag).limits(limits).build()
}

/// Extracts and renders a page. Returns the size of the longest output.
fn convert(extractor: &Extractor, html: &str) -> Result<usize, ExtractError> {
    let document = extractor.extract(Input::text(html).url("https://a.example/b/c"))?;
    check_spans(&document.content, html);
    let formats: [fn(&Document) -> String; 5] = [
        |document| document.to_markdown_with(&RenderOptions::all().metadata(true)),
        Document::to_html,
        Document::to_json,
        Document::to_xml,
        Document::to_tei,
    ];
    Ok(formats.iter().map(|format| format(&document).len()).max().unwrap().max(document.text.len()))
}

fn check_spans(pieces: &[Piece], html: &str) {
    for piece in pieces {
        assert!(html.get(piece.span.start as usize..piece.span.end as usize).is_some(), "{:?}", piece.span);
        piece.parts().for_each(|part| check_spans(part, html));
    }
}

fn best_time(extractor: &Extractor, html: &str, rounds: usize) -> Duration {
    let time = |_| {
        let start = cpu_time();
        convert(extractor, html).unwrap();
        cpu_time() - start
    };
    (0..rounds).map(time).min().unwrap()
}

#[test]
fn time_memory_and_output_grow_linearly() {
    let _turn = TURN.lock();
    let wanted = std::env::var("FAMILY").unwrap_or_default();
    let mut faults = Vec::new();
    for (name, template) in FAMILIES.iter().filter(|(name, _)| name.contains(&wanted)) {
        let (small, large) = (page(template, SMALL), page(template, GROWTH * SMALL));
        let extractor = extractor(PageLimits::default());
        convert(&extractor, "<p>It rained.").unwrap();
        MEMORY.reset_peak_memory();
        let start = cpu_time();
        let output = convert(&extractor, &large).unwrap();
        let mut long = cpu_time() - start;
        let memory = MEMORY.get_peak_memory();
        let mut short = best_time(&extractor, &small, 1).max(MIN_TIME);
        for _ in 0..4 {
            if long > short * MAX_TIME_RATIO {
                short = short.min(best_time(&extractor, &small, 2)).max(MIN_TIME);
                long = long.min(best_time(&extractor, &large, 1));
            }
        }
        let per_byte = |bytes: usize| bytes as f64 / large.len() as f64;
        println!(
            "{name:20} {:5} -> {:5} ms, memory {:5.1}, output {:5.1}",
            short.as_millis(),
            long.as_millis(),
            per_byte(memory),
            per_byte(output)
        );
        if long > short * MAX_TIME_RATIO {
            faults.push(format!("{name}: {short:?} becomes {long:?}"));
        }
        if memory > MAX_MEMORY_RATIO * large.len() + FIXED_MEMORY {
            faults.push(format!("{name}: {:.1} bytes of memory per byte", per_byte(memory)));
        }
        if output > MAX_OUTPUT_RATIO * large.len() {
            faults.push(format!("{name}: {:.1} bytes of output per byte", per_byte(output)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_stage_looks_at_the_deadline() {
    let _turn = TURN.lock();
    let mut limits = PageLimits::default();
    (limits.max_bytes, limits.max_nodes) = (64 << 20, 4_000_000);
    let mut worst = Duration::ZERO;
    let mut late = |name: &str, html: &str, timeout: Duration| {
        limits.timeout = Some(timeout);
        let extractor = extractor(limits);
        let start = Instant::now();
        let result = extractor.extract(Input::text(html).url("https://a.example/b/c"));
        let over = start.elapsed().saturating_sub(timeout);
        worst = worst.max(over);
        assert!(over < Duration::from_secs(1), "{name}: {timeout:?} became {over:?} more");
        result
    };
    // Each family by itself, with deadlines that pass in different stages.
    for (name, template) in FAMILIES.iter().step_by(3) {
        let html = page(template, 2 << 20);
        let mut timeout = Duration::from_millis(20);
        while late(name, &html, timeout).is_err() {
            timeout *= 3;
        }
    }
    let all: String =
        FAMILIES.iter().map(|(_, template)| page(template, (20 << 20) / FAMILIES.len())).collect();
    let result = late("all", &all, Duration::from_millis(20));
    assert!(matches!(result, Err(ExtractError::DeadlineExceeded { .. })), "{result:?}");
    println!("late by at most {worst:?}");
}
