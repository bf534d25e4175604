//! Figures, each with its bound.

use std::fmt::Display;

use serde::Serialize;

/// What a run shows.
#[derive(Debug, Serialize)]
pub struct Report {
    /// What was run.
    pub run: String,
    /// Repeats it.
    pub seed: u64,
    /// In the order in which they are read.
    pub figures: Vec<Figure>,
}

/// One figure.
#[derive(Debug, Serialize)]
pub struct Figure {
    /// What it counts.
    pub name: String,
    /// What it is.
    pub value: String,
    /// What it must be, in words; a figure without a bound informs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// Whether it is within its bound.
    pub holds: bool,
    /// Whether other work of the machine changes it: a test does not judge by it.
    pub timed: bool,
}

impl Report {
    /// A report without figures.
    #[must_use]
    pub fn new(run: impl Into<String>, seed: u64) -> Self {
        Self { run: run.into(), seed, figures: Vec::new() }
    }

    /// Adds a figure that informs.
    pub fn shown(&mut self, name: &str, value: impl Display) {
        self.add(name, value, None, true, false);
    }

    /// Adds a count that must not pass `most`.
    pub fn most<T: Display + PartialOrd + Copy>(&mut self, name: &str, value: T, most: T) {
        let holds = value <= most;
        self.add(name, value, Some(format!("≤ {most}")), holds, false);
    }

    /// Adds a count that must reach `least`.
    pub fn least<T: Display + PartialOrd + Copy>(&mut self, name: &str, value: T, least: T) {
        let holds = value >= least;
        self.add(name, value, Some(format!("≥ {least}")), holds, false);
    }

    /// Adds something that must be so.
    pub fn so(&mut self, name: &str, holds: bool) {
        self.add(name, if holds { "yes" } else { "no" }, Some("yes".to_owned()), holds, false);
    }

    /// Adds a measure of time, or of speed, with its bound.
    pub fn timed(&mut self, name: &str, value: f64, bound: &str, holds: bool) {
        self.add(name, format!("{value:.2}"), Some(bound.to_owned()), holds, true);
    }

    fn add(&mut self, name: &str, value: impl Display, bound: Option<String>, holds: bool, timed: bool) {
        let value = value.to_string();
        self.figures.push(Figure { name: name.to_owned(), value, bound, holds, timed });
    }

    /// Whether every bound holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.figures.iter().all(|figure| figure.holds)
    }

    /// The figures whose bounds are broken, those that other work of the machine changes left out.
    #[must_use]
    pub fn faults(&self) -> Vec<&Figure> {
        self.figures.iter().filter(|figure| !figure.holds && !figure.timed).collect()
    }

    /// Prints it as a table, or as a line of JSON.
    #[expect(clippy::print_stdout, reason = "a command prints its figures")]
    pub fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::to_string(self).expect("text and numbers"));
            return;
        }
        println!("{} (seed {})", self.run, self.seed);
        let width = self.figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or_default();
        for Figure { name, value, bound, holds, .. } in &self.figures {
            let bound = bound.as_ref().map_or_else(String::new, |bound| {
                format!("  ({bound}{})", if *holds { "" } else { ", BROKEN" })
            });
            println!("  {name:<width$}  {value}{bound}");
        }
        println!("{}", if self.holds() { "every bound holds" } else { "a bound is broken" });
    }
}
