//! Parsing takes linear time on hostile pages.
//!
//! Each hostile page is parsed four times at a quarter of its size and once at its full size, in turns. The full page
//! may take at most 1.5 times as long as the four quarters, to allow for noise and caches.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tamis_html::{Limits, Parser};

/// The accepted ratio to linear growth: on the first seven cases, which are long enough for accurate timing, and on the
/// others. A quadratic parser has a ratio of four.
const TOLERANCE: f64 = 1.5;
const WIDE_TOLERANCE: f64 = 2.5;
const WELL_TIMED: usize = 7;

/// A page generated from its size.
struct Case {
    name: &'static str,
    full: usize,
    page: fn(usize) -> String,
}

const fn case(name: &'static str, full: usize, page: fn(usize) -> String) -> Case {
    Case { name, full, page }
}

const MB: usize = 1 << 20;

/// Pages on which a literal implementation of the standard takes, or could take, quadratic time.
const CASES: &[Case] = &[
    case("nested div", 100_000, |count| "<div>".repeat(count)),
    case("attributes on one tag", 100_000, |count| numbered("<p", " a{}=b", count)),
    case("options in a select", 100_000, |count| format!("<select>{}", "<option>a".repeat(count))),
    case("unclosed b and p", 50_000, |count| "<b><p>".repeat(count)),
    case("a in each other", 100_000, |count| "<a>".repeat(count)),
    case("one long attribute", 50 * MB, |bytes| format!("<p title='{}'>", "a".repeat(bytes))),
    case("one long text", 50 * MB, |bytes| "text ".repeat(bytes / 5)),
    // Further cases.
    case("unknown names", 100_000, |count| numbered("", "<x{}>", count)),
    case("unknown end tags under deep divs", 50_000, |count| "<div>".repeat(count) + &"</x>".repeat(count)),
    case("items under deep divs", 50_000, |count| "<div>".repeat(count) + &"<li>".repeat(count)),
    case("items in deep spans", 50_000, |count| "<span>".repeat(count) + &"<li>".repeat(count)),
    case("end tags of p", 200_000, |count| "</p>".repeat(count)),
    case("end tags of br under deep divs", 50_000, |count| "<div>".repeat(count) + &"</br>".repeat(count)),
    case("headings in each other", 100_000, |count| "<h1><div>".repeat(count)),
    case("tables in cells", 50_000, |count| "<table><tr><td>".repeat(count)),
    case("tables in each other", 100_000, |count| "<table>".repeat(count)),
    case("text before a table", 100_000, |count| format!("<table>{}", "a<tr>".repeat(count))),
    case("blocks before a table", 100_000, |count| format!("<table>{}", "<div>a</div> ".repeat(count))),
    case("deep blocks before a table", 50_000, |count| format!("<table>{}", "<div>".repeat(count))),
    case("rows with wrong end tags", 100_000, |count| {
        format!("<table>{}", "<tr></td></th></tbody>".repeat(count))
    }),
    case("svg with wrong end tags", 50_000, |count| "<svg>".repeat(count) + &"</x>".repeat(count)),
    case("svg with wrong end tags between", 50_000, |count| "<svg></p><g></x>".repeat(count)),
    case("math in svg in math", 50_000, |count| "<math><mi><svg><desc>".repeat(count)),
    case("foreign end tags", 50_000, |count| "<svg><g>".repeat(count) + &"</G>".repeat(count)),
    case("templates in each other", 50_000, |count| "<template>".repeat(count)),
    case("closed templates in each other", 50_000, |count| {
        "<template>".repeat(count) + &"</template>".repeat(count)
    }),
    case("framesets in each other", 100_000, |count| "<frameset>".repeat(count)),
    case("text in framesets", 100_000, |count| format!("<frameset>{}", "a b ".repeat(count))),
    case("body tags with new attributes", 40_000, |count| numbered("<body>", "<body a{}=b>", count)),
    case("html and body tags with new attributes", 10_000, |count| {
        numbered("<body>", "<body a{}=b><html c=d>", count)
    }),
    case("body tags with new attributes between others", 10_000, |count| {
        numbered("<body>", "<body a{}=b><p c=d>", count)
    }),
    case("html tags with the same attributes", 100_000, |count| "<html a b c>".repeat(count)),
    case("forms", 100_000, |count| "<form></form><form>".repeat(count)),
    case("buttons in each other", 100_000, |count| "<button>".repeat(count)),
    case("ruby", 50_000, |count| "<ruby><rb><rt><rtc><rp>".repeat(count)),
    case("nobr in each other", 100_000, |count| "<nobr>".repeat(count)),
    case("closed formatting in blocks", 50_000, |count| "<b><p></b>".repeat(count)),
    case("closed a in blocks", 50_000, |count| "<a><div></a>".repeat(count)),
    case("closed formatting above many blocks", 20_000, |count| {
        "<b>".to_owned() + &"<div></b>".repeat(count)
    }),
    case("end tags of formatting behind deep divs", 10_000, |count| {
        "<b>".to_owned() + &"<div>".repeat(count) + &"</b>".repeat(count)
    }),
    case("end tags of formatting that is not open", 100_000, |count| "</b></a></nobr>".repeat(count)),
    case("objects with formatting", 50_000, |count| "<object><b>".repeat(count) + &"</object>".repeat(count)),
    case("applets and end tags", 50_000, |count| "<applet><i></b>".repeat(count)),
    case("selects", 100_000, |count| "<select><optgroup><option></select>".repeat(count)),
    case("hr in a select", 100_000, |count| format!("<select>{}", "<option><hr>".repeat(count))),
    case("ampersands", 10 * MB, |bytes| "&".repeat(bytes)),
    case("ampersands with letters", 10 * MB, |bytes| {
        "&abcdefghijklmnopqrstuvwxyzabcdefghijklm".repeat(bytes / 40)
    }),
    case("long numbers", 10 * MB, |bytes| "&#".to_owned() + &"9".repeat(bytes)),
    case("references in an attribute", 10 * MB, |bytes| format!("<p title='{}'>", "&amp".repeat(bytes / 4))),
    case("comments that do not end", 5 * MB, |bytes| "<!--".repeat(bytes / 4)),
    case("comments that nearly end", 5 * MB, |bytes| "<!--a--!-".repeat(bytes / 9)),
    case("comments that end at once", MB, |bytes| "<!-->".repeat(bytes / 5)),
    case("less-than signs", 5 * MB, |bytes| "<".repeat(bytes)),
    case("less-than signs and slashes", 5 * MB, |bytes| "</".repeat(bytes / 2)),
    case("less-than signs and letters", 5 * MB, |bytes| "<a".repeat(bytes / 2)),
    case("questions", 5 * MB, |bytes| "<?".repeat(bytes / 2)),
    case("broken doctypes", 5 * MB, |bytes| "<!doctype".repeat(bytes / 9)),
    case("doctypes", 5 * MB, |bytes| "<!doctype html public \"".repeat(bytes / 23)),
    case("CDATA that does not end", 5 * MB, |bytes| format!("<svg>{}", "<![CDATA[".repeat(bytes / 9))),
    case("CDATA sections", MB, |bytes| format!("<svg>{}", "<![CDATA[a]]>".repeat(bytes / 13))),
    case("scripts that do not end", 5 * MB, |bytes| "<script>".repeat(bytes / 8)),
    case("scripts in comments", 5 * MB, |bytes| "<script><!--<script>".repeat(bytes / 20)),
    case("script end tags that are none", 5 * MB, |bytes| {
        format!("<script>{}", "</script".repeat(bytes / 8))
    }),
    case("title end tags that are none", 5 * MB, |bytes| format!("<title>{}", "</titl".repeat(bytes / 6))),
    case("textareas", 5 * MB, |bytes| "<textarea></textarea>".repeat(bytes / 21)),
    case("quotes", 5 * MB, |bytes| "<a b=\"".repeat(bytes / 6)),
    case("equals signs in a tag", 5 * MB, |bytes| format!("<a{}>", " =".repeat(bytes / 2))),
    case("slashes in a tag", 5 * MB, |bytes| format!("<a{}>", "/".repeat(bytes))),
    case("the same attribute", 5 * MB, |bytes| format!("<a{}>", " b=c".repeat(bytes / 4))),
    case("one long name", 5 * MB, |bytes| format!("<{}>", "a".repeat(bytes))),
    case("long names", 5 * MB, |bytes| {
        format!("<{}>", "abcdefghij-klmnopqrst".repeat(20)).repeat(bytes / 422)
    }),
    case("NUL characters", 5 * MB, |bytes| "\0".repeat(bytes)),
    case("NUL characters in svg", MB, |bytes| format!("<svg>{}", "\0a".repeat(bytes / 2))),
    case("NUL characters in a table", MB, |bytes| format!("<table>{}", "\0 ".repeat(bytes / 2))),
    case("carriage returns", 5 * MB, |bytes| "\r".repeat(bytes)),
    case("texts in parts", MB, |bytes| format!("<p>{}", "a</x>".repeat(bytes / 5))),
    case("white space before html", 5 * MB, |bytes| " ".repeat(bytes)),
    case("white space between comments behind html", MB, |bytes| {
        format!("</html>{}", " <!---->".repeat(bytes / 8))
    }),
    case("white space and ink in a column group", 5 * MB, |bytes| {
        format!("<table><colgroup>{}", "a ".repeat(bytes / 2))
    }),
];

fn numbered(start: &str, part: &str, count: usize) -> String {
    let (before, behind) = part.split_once("{}").unwrap();
    let mut page = start.to_owned();
    for number in 0..count {
        write!(page, "{before}{number}{behind}").unwrap();
    }
    page + if start.starts_with("<p") { ">" } else { "" }
}

/// The time for parsing all pages. The trees are dropped at the end, so that four quarters need as much memory as the
/// full page; this excludes effects of allocation and caches.
fn time(parser: &Parser, pages: &[String]) -> Duration {
    let mut trees = Vec::with_capacity(pages.len());
    let start = Instant::now();
    trees.extend(pages.iter().map(|page| black_box(parser.parse(page))));
    start.elapsed()
}

/// The best times for four quarters and for the full page, and their ratio. Repeated while the ratio is too high, since
/// other load passes and quadratic time does not.
fn growth(parser: &Parser, case: &Case, tolerance: f64) -> (Duration, Duration, f64) {
    let (four, one) = ([(); 4].map(|()| (case.page)(case.full / 4)), [(case.page)(case.full)]);
    let bytes = |pages: &[String]| pages.iter().map(String::len).sum::<usize>() as f64;
    let (mut quarters, mut whole) = (Duration::MAX, Duration::MAX);
    let mut ratio = f64::MAX;
    let begin = Instant::now();
    for round in 0..40 {
        quarters = quarters.min(time(parser, &four));
        whole = whole.min(time(parser, &one));
        ratio = whole.as_secs_f64() / quarters.as_secs_f64() * (bytes(&four) / bytes(&one));
        if (round >= 2 && ratio <= tolerance) || begin.elapsed() > Duration::from_secs(20) {
            break;
        }
    }
    (quarters, whole, ratio)
}

/// Runs one test at a time, since they would slow each other down.
static CLOCK: Mutex<()> = Mutex::new(());

#[test]
fn time_grows_with_the_page_and_not_faster() {
    let _alone = CLOCK.lock();
    let only = std::env::var("TAMIS_CASE").unwrap_or_default();
    let parser = Parser::new().limits(Limits::NONE);
    let mut bad = Vec::new();
    for (number, case) in CASES.iter().enumerate().filter(|(_, case)| case.name.contains(&only)) {
        let tolerance = if number < WELL_TIMED { TOLERANCE } else { WIDE_TOLERANCE };
        let (quarters, long, ratio) = growth(&parser, case, tolerance);
        let line = format!("{:45} {quarters:>12.1?} {long:>12.1?} {ratio:6.2} times linear", case.name);
        println!("{line}");
        if ratio > tolerance {
            bad.push(line);
        }
        if case.name == "nested div" {
            assert!(long < Duration::from_millis(500), "{long:?} for 100,000 nested div");
        }
    }
    assert!(bad.is_empty(), "not linear:\n{}", bad.join("\n"));
}

/// Pages whose tree is far larger than the source, by the rules of the standard; the limits protect against them.
const BOMBS: &[Case] = &[
    case("formatting reopened by every p", 5_000, |count| {
        numbered("<p>", "<font a={}>", count) + &"<p>a".repeat(4 * count)
    }),
    case("formatting reopened in every cell", 5_000, |count| {
        numbered("<table><td>", "<b a={}>", count) + &"<table><td></table>a".repeat(4 * count)
    }),
    case("formatting reopened before a table", 5_000, |count| {
        numbered("<p>", "<i a={}>", count) + "</p><table>" + &"a<tr>".repeat(4 * count)
    }),
    case("options in options, copied", 5_000, |count| {
        format!("<select><button><selectedcontent></button>{}", "<option selected><div>a".repeat(count))
    }),
];

#[test]
fn the_limits_end_every_page_soon() {
    let _alone = CLOCK.lock();
    let only = std::env::var("TAMIS_CASE").unwrap_or_default();
    let limits = Limits { nodes: 1_000_000, ..Limits::default() };
    let parser = Parser::new().limits(limits);
    let mut slow = Vec::new();
    for case in CASES.iter().chain(BOMBS).filter(|case| case.name.contains(&only)) {
        let page = &(case.page)(case.full);
        let once = (0..3).map(|_| time(&parser, std::slice::from_ref(page))).min().unwrap_or_default();
        let dom = parser.parse(page);
        assert!(dom.len() <= limits.nodes as usize, "{}: {} nodes", case.name, dom.len());
        let line = format!(
            "{:42} {:8} bytes {once:>10.1?} {:7} nodes, {:9} bytes of memory, {:?}",
            case.name,
            page.len(),
            dom.len(),
            dom.memory(),
            dom.limit_reached()
        );
        println!("{line}");
        if once > Duration::from_secs(1) || dom.memory() > 200 * limits.nodes as usize {
            slow.push(line);
        }
    }
    assert!(slow.is_empty(), "too slow or too large:\n{}", slow.join("\n"));
}
