//! Charts of measured figures, as SVG.
//!
//! A row for each thing that was measured, a mark for each of its figures on one logarithmic scale: a thousand and a
//! million are as far apart as a thousandth and one.

use std::fmt::Write as _;

/// A chart of rows with marks.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows; read out in place of the picture too.
    pub title: String,
    /// The unit of the scale.
    pub unit: &'static str,
    /// What each mark of a row is of, in order; three at most.
    pub marks: Vec<String>,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// A row: its name, and a figure for each mark.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Above 0.
    pub figures: Vec<f64>,
}

const NAMES: f64 = 270.0;
const SCALE: f64 = 430.0;
const LINE: f64 = 18.0;
const TOP: f64 = 64.0;
const WIDTH: f64 = NAMES + SCALE + 30.0;
/// Readable on a light and on a dark page, and told apart by shape as well.
const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1f2328}.t{font-size:14px;font-weight:600}\
    .n{text-anchor:end}.s{text-anchor:middle;fill:#59636e}.g{stroke:#d1d9e0}.m0{fill:#59636e}.m1{fill:#0969da}\
    .m2{fill:#bc4c00}@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.s{fill:#9198a1}.g{stroke:#3d444d}\
    .m0{fill:#9198a1}.m1{fill:#4493f8}.m2{fill:#db6d28}}";

impl Chart {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let all = || self.rows.iter().flat_map(|row| &row.figures).copied().filter(|figure| *figure > 0.0);
        let low = all().fold(f64::INFINITY, f64::min).log10().floor();
        let high = all().fold(0.0, f64::max).log10().ceil().max(low + 1.0);
        let place = |figure: f64| NAMES + SCALE * (figure.max(1e-9).log10() - low) / (high - low);
        let height = TOP + LINE * count(self.rows.len()) + 12.0;
        let title = escaped(&self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\
             <title>{title}</title><style>{STYLE}</style><text class=\"t\" x=\"8\" y=\"20\">{title}</text>\n"
        );
        for (number, name) in self.marks.iter().enumerate() {
            let x = 16.0 + 150.0 * count(number);
            let text = format!("<text x=\"{}\" y=\"40\">{}</text>\n", x + 10.0, escaped(name));
            svg.push_str(&(mark(number, x, 36.0) + &text));
        }
        let mut power = low;
        while power <= high {
            let (x, value) = (place(10_f64.powf(power)), 10_f64.powf(power));
            let unit = self.unit;
            writeln!(
                svg,
                "<line class=\"g\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{height}\"/>\
                 <text class=\"s\" x=\"{x:.1}\" y=\"58\">{value} {unit}</text>"
            )
            .expect("a text can be written to");
            power += 1.0;
        }
        for (number, row) in self.rows.iter().enumerate() {
            let y = TOP + LINE * (count(number) + 0.5);
            let name = escaped(&row.name);
            writeln!(svg, "<text class=\"n\" x=\"{}\" y=\"{:.1}\">{name}</text>", NAMES - 10.0, y + 4.0)
                .expect("a text can be written to");
            for (number, figure) in row.figures.iter().enumerate() {
                svg.push_str(&mark(number, place(*figure), y));
            }
        }
        svg + "</svg>\n"
    }
}

/// A circle, a square or a diamond.
fn mark(number: usize, x: f64, y: f64) -> String {
    match number {
        0 => format!("<circle class=\"m0\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n"),
        1 => format!(
            "<rect class=\"m1\" x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"/>\n",
            x - 3.5,
            y - 3.5
        ),
        _ => format!(
            "<path class=\"m2\" d=\"M{:.1} {y:.1}L{x:.1} {:.1}L{:.1} {y:.1}L{x:.1} {:.1}Z\"/>\n",
            x - 5.0,
            y - 5.0,
            x + 5.0,
            y + 5.0
        ),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
fn count(number: usize) -> f64 {
    number as f64
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_stands_where_the_scale_has_it_and_names_are_escaped() {
        let rows = vec![Row { name: "a < b & c".to_owned(), figures: vec![1.0, 10.0, 100.0] }];
        let chart = Chart { title: "T".to_owned(), unit: "ms", marks: vec!["few".to_owned()], rows };
        let svg = chart.svg();
        assert!(svg.contains("a &lt; b &amp; c"), "{svg}");
        for place in ["cx=\"270.0\"", "x=\"481.5\"", "L700.0 "] {
            assert!(svg.contains(place), "{place} in {svg}");
        }
    }
}
