//! Plots as SVG: narrow enough for a phone, with colours from the style sheet, which follow light and dark mode.
//!
//! Every tool has a colour and a shape, for readers who cannot distinguish the colours.

use std::fmt::Write;

use crate::summary::Estimate;

use super::escape;

/// The width of every plot, in pixels of a phone.
const WIDTH: f64 = 340.0;

/// Colours for tools in the style sheet.
const COLOURS: usize = 16;

/// Shapes, and as many line styles.
const SHAPES: usize = 4;

/// A row of [`dots`]: a group of pages, their number, and a point per tool.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) count: usize,
    pub(super) points: Vec<Option<Estimate>>,
}

/// The plotting area.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    fn x(&self, share: f64) -> f64 {
        self.left + (self.right - self.left) * share
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * share
    }

    /// A vertical grid line with a label below.
    fn vertical(&self, x: f64, label: &str, out: &mut String) {
        line("grid", (x, self.top), (x, self.bottom), out);
        self.below(x, 13.0, label, out);
    }

    /// A horizontal grid line with a label on the left.
    fn horizontal(&self, y: f64, label: &str, out: &mut String) {
        line("grid", (self.left, y), (self.right, y), out);
        text("q", "end", (self.left - 5.0, y + 3.0), label, out);
    }

    /// A centred text below the plotting area.
    fn below(&self, x: f64, distance: f64, label: &str, out: &mut String) {
        text("q", "middle", (x, self.bottom + distance), label, out);
    }

    /// The name of the horizontal axis.
    fn axis(&self, name: &str, out: &mut String) {
        self.below(f64::midpoint(self.left, self.right), 27.0, name, out);
    }
}

fn line(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64), out: &mut String) {
    let _ =
        write!(out, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" />");
}

/// A text whose start, middle or end is at `x`.
fn text(class: &str, anchor: &str, (x, y): (f64, f64), text: &str, out: &mut String) {
    let text = escape::escaped(text);
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

fn bar((x, y): (f64, f64), width: f64, height: f64, out: &mut String) {
    let _ = write!(
        out,
        "<rect class=\"bar\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" />"
    );
}

/// Opens a group with the colour of a class, if any, and a title.
fn group(class: &str, title: &str, out: &mut String) {
    let _ = write!(out, "<g class=\"{class}\"><title>{}</title>", escape::escaped(title));
}

/// An axis from a tenth below the lowest value to 1; the whole range would leave most of the plot empty.
fn start_of_axis(lowest: f64) -> f64 {
    (lowest.clamp(0.0, 0.9) * 10.0).floor() / 10.0
}

/// The class with the colour of a tool.
pub(super) fn colour(tool: usize) -> String {
    format!("t{}", tool % COLOURS)
}

/// The legend of the tools.
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

/// A row per group, with a mark and a confidence interval per tool.
pub(super) fn dots(title: &str, rows: &[Row]) -> String {
    let tools = rows.iter().map(|row| row.points.len()).max().unwrap_or(0);
    let height = 14.0 + 7.0 * tools as f64;
    let frame =
        Frame { left: 112.0, right: WIDTH - 10.0, top: 6.0, bottom: 6.0 + height * rows.len() as f64 };
    let all = rows.iter().flat_map(|row| row.points.iter().flatten());
    let from = start_of_axis(all.map(|point| point.low.min(point.value)).fold(1.0, f64::min));
    let x = |value: f64| frame.x((value.clamp(from, 1.0) - from) / (1.0 - from));
    let mut out = open(title, frame.bottom + 22.0);
    for (value, label) in ticks(from) {
        frame.vertical(x(value), &label, &mut out);
    }
    for (at, row) in rows.iter().enumerate() {
        let begin = frame.top + height * at as f64;
        let label = escape::escaped(&escape::shortened(&row.label, 14));
        group("", &format!("{}: {} pages", row.label, row.count), &mut out);
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label} <tspan class=\"q\">{}</tspan></text>",
            frame.left - 8.0,
            begin + height / 2.0 + 4.0,
            row.count
        );
        for (tool, point) in row.points.iter().enumerate() {
            let Some(Estimate { value, low, high }) = *point else { continue };
            let y = begin + 10.0 + 7.0 * tool as f64;
            group(&colour(tool), &format!("{value:.3} ({low:.3} to {high:.3})"), &mut out);
            line("whisker", (x(low), y), (x(high), y), &mut out);
            let _ = write!(out, "{}</g>", shape(tool, x(value), y));
        }
        out.push_str("</g>");
    }
    out + "</svg>"
}

/// The cumulative distribution of the pages' values per tool: the lower the curve, the better the tool.
pub(super) fn cumulative(title: &str, axis: &str, tools: &[Vec<f64>]) -> String {
    let frame = Frame { left: 38.0, right: WIDTH - 10.0, top: 8.0, bottom: 190.0 };
    let mut out = open(title, frame.bottom + 32.0);
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        frame.horizontal(frame.y(share), &format!("{:.0} %", 100.0 * share), &mut out);
    }
    for (value, label) in ticks(0.0) {
        frame.vertical(frame.x(value), &label, &mut out);
    }
    frame.axis(axis, &mut out);
    for (tool, values) in tools.iter().enumerate() {
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        if sorted.is_empty() {
            continue;
        }
        let _ = write!(out, "<path class=\"curve {}\"{} d=\"M", colour(tool), dash(tool));
        // A point per hundredth: more would not be visible.
        for step in 0..=100 {
            let value = f64::from(step) / 100.0;
            let below = sorted.partition_point(|&it| it < value - 1e-9);
            let _ = write!(out, "{:.1} {:.1} ", frame.x(value), frame.y(below as f64 / sorted.len() as f64));
        }
        out.push_str("\"/>");
    }
    out + "</svg>"
}

/// Line plots of several series, with both axes up to 1 and the diagonal.
pub(super) fn agreement(title: &str, axes: (&str, &str), series: &[Vec<(f64, f64)>]) -> String {
    let frame = Frame { left: 38.0, right: WIDTH - 10.0, top: 8.0, bottom: 300.0 };
    let Frame { left, right, top, bottom } = frame;
    let from = start_of_axis(series.iter().flatten().flat_map(|(x, y)| [*x, *y]).fold(1.0, f64::min));
    let part = |value: f64| (value.clamp(from, 1.0) - from) / (1.0 - from);
    let (x, y) = (|value: f64| frame.x(part(value)), |value: f64| frame.y(part(value)));
    let mut out = open(title, bottom + 32.0);
    for (value, label) in ticks(from) {
        frame.vertical(x(value), &label, &mut out);
        frame.horizontal(y(value), &label, &mut out);
    }
    line("axis", (left, bottom), (right, top), &mut out);
    frame.axis(axes.0, &mut out);
    text("q", "start", (left + 6.0, top + 12.0), axes.1, &mut out);
    lines(series, x, y, &mut out);
    out + "</svg>"
}

/// A histogram of differences between two tools; bars to the right are pages on which the first is better.
pub(super) fn differences(title: &str, figure: &str, values: &[f64]) -> String {
    const BARS: usize = 41;
    let frame = Frame { left: 10.0, right: WIDTH - 10.0, top: 16.0, bottom: 150.0 };
    let Frame { left, right, top, bottom } = frame;
    let mut counts = [0usize; BARS];
    for value in values {
        let bar = ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * (BARS - 1) as f64).round();
        counts[bar as usize] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = (right - left) / BARS as f64;
    // Most pages are about equal and would flatten all others on a linear scale.
    let scale = |count: usize| ((1 + count) as f64).ln() / ((1 + most) as f64).ln();
    let mut out = open(title, bottom + 32.0);
    for (bar_number, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let middle = bar_number as f64 / ((BARS - 1) / 2) as f64 - 1.0;
        let class = match bar_number.cmp(&(BARS / 2)) {
            std::cmp::Ordering::Less => "t1",
            std::cmp::Ordering::Equal => "t6",
            std::cmp::Ordering::Greater => "t0",
        };
        let height = (bottom - top) * scale(count);
        let begin = left + width * bar_number as f64;
        let about = super::shell::difference(Some(middle));
        group(class, &format!("about {about}: {count} pages"), &mut out);
        bar((begin + 0.5, bottom - height), width - 1.0, height, &mut out);
        out.push_str("</g>");
        if count == most {
            text("q", "middle", (begin + width / 2.0, top - 4.0), &count.to_string(), &mut out);
        }
    }
    line("axis", (left, bottom), (right, bottom), &mut out);
    for (value, label) in [(-1.0, "−1"), (-0.5, "−0.5"), (0.0, "0"), (0.5, "+0.5"), (1.0, "+1")] {
        let x = left + width / 2.0 + (right - left - width) * (value + 1.0) / 2.0;
        frame.below(x, 13.0, label, &mut out);
    }
    frame.axis(&format!("difference of {figure}; pages on a logarithmic scale"), &mut out);
    out + "</svg>"
}

/// A bar per row, for non-negative values.
pub(super) fn bars(title: &str, rows: &[(&str, f64)]) -> String {
    const HEIGHT: f64 = 15.0;
    let (left, right, top) = (150.0, WIDTH - 44.0, 4.0);
    let most = rows.iter().map(|row| row.1).fold(1e-9, f64::max);
    let mut out = open(title, top + HEIGHT * rows.len() as f64 + 4.0);
    for (at, (label, value)) in rows.iter().enumerate() {
        let y = top + HEIGHT * at as f64;
        let width = (right - left) * (value / most).clamp(0.0, 1.0);
        group(&colour(0), &format!("{label}: {value:.3}"), &mut out);
        text("", "end", (left - 6.0, y + 11.0), &escape::shortened(label, 24), &mut out);
        bar((left, y + 2.0), width, HEIGHT - 4.0, &mut out);
        text("q", "start", (left + width + 4.0, y + 11.0), &format!("{value:.3}"), &mut out);
        out.push_str("</g>");
    }
    out + "</svg>"
}

/// The points of each series, connected by lines.
fn lines(series: &[Vec<(f64, f64)>], x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64, out: &mut String) {
    for (number, points) in series.iter().enumerate() {
        let _ = write!(out, "<g class=\"{}\"><path class=\"curve\"{} d=\"", colour(number), dash(number));
        for (place, point) in points.iter().enumerate() {
            let _ = write!(out, "{}{:.1} {:.1} ", if place == 0 { 'M' } else { 'L' }, x(point.0), y(point.1));
        }
        out.push_str("\"/>");
        for point in points {
            group("", &format!("{:.3}: {:.3}", point.0, point.1), out);
            let _ = write!(out, "{}</g>", shape(number, x(point.0), y(point.1)));
        }
        out.push_str("</g>");
    }
}

/// A plot as a separate file, with an embedded style sheet.
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

/// About five ticks, with labels, of an axis that starts at `from`.
fn ticks(from: f64) -> impl Iterator<Item = (f64, String)> {
    let step = if from >= 0.6 { 1 } else { 2 };
    let first = (from * 10.0).round() as u32;
    (first..=10).filter(move |tenth| (10 - tenth) % step == 0).map(|tenth| {
        let value = f64::from(tenth) / 10.0;
        (value, format!("{value:.1}"))
    })
}

/// The shape and line style of a tool: cyclic, and shifted by one when the colours repeat, so that 64 tools differ.
fn style(tool: usize) -> usize {
    (tool + tool / COLOURS) % SHAPES
}

/// The shape of a tool: circle, square, diamond, triangle.
fn shape(tool: usize, x: f64, y: f64) -> String {
    let path = match style(tool) {
        0 => return format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" />"),
        1 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z", y - 4.5),
        _ => format!("M{x:.1} {:.1}l4.5 8h-9z", y - 4.5),
    };
    format!("<path class=\"mark\" d=\"{path}\"/>")
}

/// The line style of a tool.
fn dash(tool: usize) -> &'static str {
    match style(tool) {
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
    fn labels_are_escaped_and_values_clamped() {
        let point = Estimate { value: 2.0, low: -1.0, high: f64::NAN };
        let rows = [Row { label: "<b>\"x\"".into(), count: 3, points: vec![Some(point), None] }];
        let picture = dots("</svg><script>", &rows);
        assert!(!picture.contains("<b>") && !picture.contains("<script>"), "{picture}");
        assert!(picture.contains("&lt;b&gt;"));
    }

    #[test]
    fn tools_look_different() {
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
    fn empty_plots_are_valid() {
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
    fn plots_are_well_formed_xml() {
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
        // Two of four pages are below 1.
        assert!(picture.contains("330.0 99.0 \"/>"), "{picture}");
    }

    #[test]
    fn differences_are_binned() {
        let picture = differences("x", "F1", &[0.0, 0.01, -1.0, 1.0]);
        assert_eq!(picture.matches("1 pages").count(), 2);
        assert_eq!(picture.matches("2 pages").count(), 1);
    }
}
