//! The figures as a page of Markdown.

use std::fmt::Write as _;

use super::{GROWTH, Growth, Times};

impl Growth {
    /// What each company is called: by its contacts.
    #[must_use]
    pub fn companies(&self) -> Vec<String> {
        self.sizes.iter().map(|size| format!("{} contacts", grouped(*size))).collect()
    }

    /// A page with a row for each operation: its median in each company, and what it may grow by.
    #[must_use]
    pub fn page(&self) -> String {
        let engine = &self.engine;
        let sizes = self.companies().join(" | ");
        let columns = "---:|".repeat(self.sizes.len());
        let mut page = format!(
            "# Each operation on {engine}\n\n\
             The median of one call, in milliseconds, in companies by their contacts; what else they have is told in\n\
             [performance](../performance.md#as-companies-grow). Written by `svc-benches charts`.\n\n\
             | Operation | {sizes} | Times the smallest | Asked for | Over its route |\n|---|{columns}---:|---|---:|\n"
        );
        for times in &self.operations {
            writeln!(page, "{}", times.row()).expect("a text can be written to");
        }
        page
    }
}

impl Times {
    fn row(&self) -> String {
        let each: Vec<_> = self.milliseconds.iter().map(|time| format!(" {time:.2} |")).collect();
        let each = each.concat();
        let bound = match self.within {
            Some(within) => format!("{within} ms"),
            None => format!("{GROWTH} times"),
        };
        let missed = if self.holds() { "" } else { ", missed" };
        let over = self.over_the_route().map_or_else(String::new, |over| format!("{over:.2}"));
        format!("| {} |{each} {:.1} | {bound}{missed} | {over} |", self.operation, self.growth())
    }
}

/// A number with a comma before each three digits.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(milliseconds: [f64; 2], within: Option<f64>, route: Vec<f64>) -> Times {
        Times { operation: "read".to_owned(), milliseconds: milliseconds.into(), within, empty: 0, route }
    }

    #[test]
    fn a_row_tells_each_figure_and_whether_it_is_what_was_asked_for() {
        let operations = vec![
            times([1.0, 1.5], None, Vec::new()),
            times([1.0, 2.5], None, vec![0.75, 2.0]),
            times([1.0, 12.0], Some(10.0), Vec::new()),
        ];
        let page = Growth { engine: "SQLite".to_owned(), sizes: vec![1_000, 1_000_000], operations }.page();
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(
            rows,
            [
                "| Operation | 1,000 contacts | 1,000,000 contacts | Times the smallest | Asked for | Over its route |",
                "|---|---:|---:|---:|---|---:|",
                "| read | 1.00 | 1.50 | 1.5 | 2 times |  |",
                "| read | 1.00 | 2.50 | 2.5 | 2 times, missed | 0.50 |",
                "| read | 1.00 | 12.00 | 12.0 | 10 ms, missed |  |",
            ]
        );
    }
}
