//! Pictures of figures, as SVG: small enough for a phone, coloured by the style sheet so that they follow light and dark.
//!
//! Every tool has a colour and a shape, since not everybody tells colours apart.

use std::fmt::Write;

use crate::summary::Estimate;

use super::escape;

/// The width of every picture in its own units, which are pixels on a phone.
const WIDTH: f64 = 340.0;

/// How many colours the style sheet has for tools.
const COLOURS: usize = 16;

/// How many shapes there are, and as many kinds of lines.
const SHAPES: usize = 4;

/// A row of [`dots`]: a group of pages, how many they are, and a point for each tool.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) count: usize,
    pub(super) points: Vec<Option<Estimate>>,
}

/// The class that gives a tool its colour.
pub(super) fn colour(tool: usize) -> String {
    format!("t{}", tool % COLOURS)
}

/// Which tool is which, above pictures.
pub(super) fn legend(tools: &[&str]) -> String {
    let mut out = String::from("<ul class=\"legend\">");
    for (tool, name) in tools.iter().enumerate() {
        let _ = write!(
            out,
            "<li class=\"{}\"><svg viewBox=\"0 0 26 16\" aria-hidden=\"true\">\
             <line class=\"curve\" x1=\"1\" y1=\"8\" x2=\"25\" y2=\"8\"{} />{}</svg>{}</li>",
            colour(tool),
            dash(tool),
            shape(tool, 13.0, 8.0),
            escape::escaped(name)
        );
    }
    out.push_str("</ul>");
    out
}

/// A line a group, a mark a tool, with its interval.
pub(super) fn dots(title: &str, rows: &[Row]) -> String {
    let tools = rows.iter().map(|row| row.points.len()).max().unwrap_or(0);
    let (left, right, top) = (112.0, WIDTH - 10.0, 6.0);
    let height = 14.0 + 7.0 * tools as f64;
    let bottom = top + height * rows.len() as f64;
    let all = rows.iter().flat_map(|row| row.points.iter().flatten());
    let lowest = all.map(|point| point.low.min(point.value)).fold(1.0, f64::min);
    // The axis begins at the tenth below the lowest value: a whole axis would leave most of the picture empty.
    let from = (lowest.clamp(0.0, 0.9) * 10.0).floor() / 10.0;
    let x = |value: f64| left + (right - left) * (value.clamp(from, 1.0) - from) / (1.0 - from);
    let mut out = open(title, bottom + 22.0);
    for (value, label) in ticks(from) {
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{top}\" y2=\"{bottom}\" />\
             <text class=\"q\" x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"middle\">{label}</text>",
            x(value),
            bottom + 13.0
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let begin = top + height * at as f64;
        let label = escape::escaped(&escape::shortened(&row.label, 14));
        let _ = write!(
            out,
            "<g><title>{}</title><text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{label} <tspan class=\"q\">{3}</tspan></text>",
            escape::escaped(&format!("{}: {} pages", row.label, row.count)),
            left - 8.0,
            begin + height / 2.0 + 4.0,
            row.count
        );
        for (tool, point) in row.points.iter().enumerate() {
            let Some(point) = point else { continue };
            let y = begin + 10.0 + 7.0 * tool as f64;
            let _ = write!(
                out,
                "<g class=\"{}\"><title>{:.3} ({:.3} to {:.3})</title>\
                 <line class=\"whisker\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" />{}</g>",
                colour(tool),
                point.value,
                point.low,
                point.high,
                x(point.low),
                x(point.high),
                shape(tool, x(point.value), y)
            );
        }
        out.push_str("</g>");
    }
    out.push_str("</svg>");
    out
}

/// For each tool the share of pages that do not reach a value: the lower the curve, the better the tool.
pub(super) fn cumulative(title: &str, axis: &str, tools: &[Vec<f64>]) -> String {
    let (left, right, top, bottom) = (38.0, WIDTH - 10.0, 8.0, 190.0);
    let x = |value: f64| left + (right - left) * value;
    let y = |share: f64| bottom - (bottom - top) * share;
    let mut out = open(title, bottom + 32.0);
    for step in 0..=4 {
        let value = f64::from(step) / 4.0;
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" />\
             <text class=\"q\" x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3:.0} %</text>",
            y(value),
            left - 5.0,
            y(value) + 3.0,
            100.0 * value
        );
    }
    for (value, label) in ticks(0.0) {
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{top}\" y2=\"{bottom}\" />\
             <text class=\"q\" x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"middle\">{label}</text>",
            x(value),
            bottom + 13.0
        );
    }
    let _ = write!(
        out,
        "<text class=\"q\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(left, right),
        bottom + 27.0,
        escape::escaped(axis)
    );
    for (tool, values) in tools.iter().enumerate() {
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        if sorted.is_empty() {
            continue;
        }
        let _ = write!(out, "<path class=\"curve {}\"{} d=\"M", colour(tool), dash(tool));
        // A point a hundredth: more would not be seen.
        for step in 0..=100 {
            let value = f64::from(step) / 100.0;
            let below = sorted.partition_point(|&it| it < value - 1e-9);
            let _ = write!(out, "{:.1} {:.1} ", x(value), y(below as f64 / sorted.len() as f64));
        }
        out.push_str("\"/>");
    }
    out.push_str("</svg>");
    out
}

/// Points of each series with lines between them, both axes from `from` to 1, and a line where they would be equal.
pub(super) fn agreement(title: &str, axes: (&str, &str), series: &[Vec<(f64, f64)>]) -> String {
    let (left, right, top, bottom) = (38.0, WIDTH - 10.0, 8.0, 300.0);
    let lowest = series.iter().flatten().flat_map(|(x, y)| [*x, *y]).fold(1.0, f64::min);
    let from = (lowest.clamp(0.0, 0.9) * 10.0).floor() / 10.0;
    let part = |value: f64| (value.clamp(from, 1.0) - from) / (1.0 - from);
    let x = |value: f64| left + (right - left) * part(value);
    let y = |value: f64| bottom - (bottom - top) * part(value);
    let mut out = open(title, bottom + 32.0);
    for (value, label) in ticks(from) {
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{top}\" y2=\"{bottom}\" /><line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{1:.1}\" y2=\"{1:.1}\" />\
             <text class=\"q\" x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{label}</text>\
             <text class=\"q\" x=\"{3}\" y=\"{4:.1}\" text-anchor=\"end\">{label}</text>",
            x(value),
            y(value),
            bottom + 13.0,
            left - 5.0,
            y(value) + 3.0
        );
    }
    let _ = write!(out, "<line class=\"axis\" x1=\"{left}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{top}\" />");
    names_of(axes, (left, right, top, bottom), &mut out);
    lines(series, x, y, &mut out);
    out.push_str("</svg>");
    out
}

/// What the axes of a plot in this frame (left, right, top, bottom) stand for.
fn names_of(axes: (&str, &str), (left, right, top, bottom): (f64, f64, f64, f64), out: &mut String) {
    let _ = write!(
        out,
        "<text class=\"q\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text class=\"q\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        f64::midpoint(left, right),
        bottom + 27.0,
        escape::escaped(axes.0),
        left + 6.0,
        top + 12.0,
        escape::escaped(axes.1)
    );
}

/// How many pages one tool does better on, by how much: bars to the right are the first tool's.
pub(super) fn differences(title: &str, figure: &str, values: &[f64]) -> String {
    const BARS: usize = 41;
    let (left, right, top, bottom) = (10.0, WIDTH - 10.0, 16.0, 150.0);
    let mut counts = [0usize; BARS];
    for value in values {
        let bar = ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * (BARS - 1) as f64).round();
        counts[bar as usize] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = (right - left) / BARS as f64;
    // Most pages are about equal; on a plain scale they would flatten all others.
    let scale = |count: usize| ((1 + count) as f64).ln() / ((1 + most) as f64).ln();
    let mut out = open(title, bottom + 32.0);
    for (bar, &count) in counts.iter().enumerate() {
        if count == 0 {
            continue;
        }
        let middle = bar as f64 / ((BARS - 1) / 2) as f64 - 1.0;
        let class = match bar.cmp(&(BARS / 2)) {
            std::cmp::Ordering::Less => "t1",
            std::cmp::Ordering::Equal => "t6",
            std::cmp::Ordering::Greater => "t0",
        };
        let height = (bottom - top) * scale(count);
        let begin = left + width * bar as f64;
        let _ = write!(
            out,
            "<g class=\"{class}\"><title>about {}: {count} pages</title>\
             <rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" /></g>",
            super::shell::difference(Some(middle)),
            begin + 0.5,
            bottom - height,
            width - 1.0
        );
        if count == most {
            let x = begin + width / 2.0;
            let _ = write!(
                out,
                "<text class=\"q\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
                top - 4.0
            );
        }
    }
    let _ =
        write!(out, "<line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\" />");
    for (value, label) in [(-1.0, "−1"), (-0.5, "−0.5"), (0.0, "0"), (0.5, "+0.5"), (1.0, "+1")] {
        let x = left + width / 2.0 + (right - left - width) * (value + 1.0) / 2.0;
        let _ = write!(
            out,
            "<text class=\"q\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 13.0
        );
    }
    let _ = write!(
        out,
        "<text class=\"q\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">difference of {}; pages on a logarithmic scale</text></svg>",
        WIDTH / 2.0,
        bottom + 27.0,
        escape::escaped(figure)
    );
    out
}

/// A bar a row, the longest being the largest value: for values that are 0 or more.
pub(super) fn bars(title: &str, rows: &[(&str, f64)]) -> String {
    const HEIGHT: f64 = 15.0;
    let (left, right, top) = (150.0, WIDTH - 44.0, 4.0);
    let most = rows.iter().map(|row| row.1).fold(1e-9, f64::max);
    let mut out = open(title, top + HEIGHT * rows.len() as f64 + 4.0);
    for (at, (label, value)) in rows.iter().enumerate() {
        let y = top + HEIGHT * at as f64;
        let width = (right - left) * (value / most).clamp(0.0, 1.0);
        let _ = write!(
            out,
            "<g class=\"{}\"><title>{}: {value:.3}</title>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect class=\"bar\" x=\"{left}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" />\
             <text class=\"q\" x=\"{:.1}\" y=\"{:.1}\">{value:.3}</text></g>",
            colour(0),
            escape::escaped(label),
            left - 6.0,
            y + 11.0,
            escape::escaped(&escape::shortened(label, 24)),
            y + 2.0,
            HEIGHT - 4.0,
            left + width + 4.0,
            y + 11.0
        );
    }
    out.push_str("</svg>");
    out
}

/// The points of each series, with lines between them.
fn lines(series: &[Vec<(f64, f64)>], x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64, out: &mut String) {
    for (number, points) in series.iter().enumerate() {
        let _ = write!(out, "<g class=\"{}\"><path class=\"curve\"{} d=\"", colour(number), dash(number));
        for (place, point) in points.iter().enumerate() {
            let _ = write!(out, "{}{:.1} {:.1} ", if place == 0 { 'M' } else { 'L' }, x(point.0), y(point.1));
        }
        out.push_str("\"/>");
        for point in points {
            let _ = write!(
                out,
                "<g><title>{:.3}: {:.3}</title>{}</g>",
                point.0,
                point.1,
                shape(number, x(point.0), y(point.1))
            );
        }
        out.push_str("</g>");
    }
}

/// A picture as a file of its own, with the style that it has in a page.
pub(super) fn alone(picture: &str) -> String {
    let inside = picture.strip_prefix("<svg ").unwrap_or(picture);
    match inside.split_once('>') {
        Some((open, rest)) => {
            let style = super::shell::STYLE;
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {open}><style>{style}</style>{rest}\n")
        }
        None => String::new(),
    }
}

fn open(title: &str, height: f64) -> String {
    let title = escape::escaped(title);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>"
    )
}

/// Values for an axis that begins at `from`, with their labels: about five.
fn ticks(from: f64) -> impl Iterator<Item = (f64, String)> {
    let step = if from >= 0.6 { 1 } else { 2 };
    let first = (from * 10.0).round() as u32;
    (first..=10).filter(move |tenth| (10 - tenth) % step == 0).map(|tenth| {
        let value = f64::from(tenth) / 10.0;
        (value, format!("{value:.1}"))
    })
}

/// Which shape and line a tool has: in turn, and moved on by one where the colours begin again, so that no two of 64
/// tools look alike.
fn look(tool: usize) -> usize {
    (tool + tool / COLOURS) % SHAPES
}

/// A tool's shape: circle, square, diamond, triangle.
fn shape(tool: usize, x: f64, y: f64) -> String {
    let path = match look(tool) {
        0 => return format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" />"),
        1 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z", y - 4.5),
        _ => format!("M{x:.1} {:.1}l4.5 8h-9z", y - 4.5),
    };
    format!("<path class=\"mark\" d=\"{path}\"/>")
}

/// A tool's line: whole, or with dashes of some kind.
fn dash(tool: usize) -> &'static str {
    match look(tool) {
        0 => "",
        1 => " stroke-dasharray=\"6 3\"",
        2 => " stroke-dasharray=\"2 3\"",
        _ => " stroke-dasharray=\"9 3 2 3\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_text_only_and_values_stay_inside() {
        let point = Estimate { value: 2.0, low: -1.0, high: f64::NAN };
        let rows = [Row { label: "<b>\"x\"".into(), count: 3, points: vec![Some(point), None] }];
        let picture = dots("</svg><script>", &rows);
        assert!(!picture.contains("<b>") && !picture.contains("<script>"), "{picture}");
        assert!(picture.contains("&lt;b&gt;"));
    }

    #[test]
    fn the_ninth_tool_looked_like_the_first() {
        let looks: std::collections::HashSet<_> =
            (0..64).map(|tool| (colour(tool), shape(tool, 0.0, 0.0), dash(tool))).collect();
        assert_eq!(looks.len(), 64);
        let style = super::super::shell::STYLE;
        for tool in 0..COLOURS {
            let class = colour(tool);
            assert!(style.contains(&format!(".{class} {{ --c: var(--{class}); }}")), "{class}");
            assert_eq!(style.matches(&format!("--{class}: #")).count(), 2, "{class}: for light and for dark");
        }
    }

    #[test]
    fn pictures_of_nothing_are_pictures() {
        let pictures = [
            dots("a", &[]),
            cumulative("b", "F1", &[vec![], vec![]]),
            differences("c", "F1", &[]),
            agreement("d", ("said", "F1"), &[vec![], vec![(f64::NAN, 2.0)]]),
            bars("f", &[]),
        ];
        for picture in pictures {
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"), "{picture}");
        }
    }

    #[test]
    fn a_picture_is_a_file_that_every_reader_of_xml_takes() {
        let pictures = [
            agreement("a < b", ("said", "F1"), &[vec![(0.7, 0.8), (0.9, 0.9)], vec![(0.6, 0.5)]]),
            cumulative("b", "F1", &[vec![0.5, 1.0]]),
            differences("c", "F1", &[0.0, 0.5, -0.5]),
            bars("e", &[("<b>", 0.5), ("links & words", 0.25)]),
        ];
        for picture in pictures {
            let file = alone(&picture);
            let mut reader = quick_xml::Reader::from_str(&file);
            loop {
                match reader.read_event().expect("well-formed") {
                    quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                        assert!(tag.attributes().all(|attribute| attribute.is_ok()), "{tag:?}");
                    }
                    quick_xml::events::Event::Eof => break,
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn the_cumulative_curve_ends_with_the_share_below_one() {
        let picture = cumulative("x", "F1", &[vec![0.0, 0.5, 1.0, 1.0]]);
        // Two of four pages are below 1: half way up.
        assert!(picture.contains("330.0 99.0 \"/>"), "{picture}");
    }

    #[test]
    fn differences_are_counted_where_they_belong() {
        let picture = differences("x", "F1", &[0.0, 0.01, -1.0, 1.0]);
        assert_eq!(picture.matches("1 pages").count(), 2);
        assert_eq!(picture.matches("2 pages").count(), 1);
    }
}
