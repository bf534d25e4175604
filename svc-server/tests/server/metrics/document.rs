//! `docs/operations.md`.

use super::Metrics;

const TEXT: &str = include_str!("../../../../docs/operations.md");

/// The metrics of its table.
pub(super) fn metrics() -> Metrics {
    let (_, rest) = TEXT.split_once("\n## Metrics\n").expect("a section on metrics");
    let (section, _) = rest.split_once("\n## ").expect("another section after it");
    let mut metrics = Metrics::new();
    for row in section.lines().filter_map(|line| line.strip_prefix("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, kind, labels, meaning, ""] = cells[..] else { panic!("not four cells: {row}") };
        assert!(!meaning.is_empty(), "{row}");
        let labels = labels.split(", ").filter(|label| *label != "–");
        let labels = labels.map(|label| label.trim_matches('`').to_owned()).collect();
        let name = name.trim_end_matches('`').to_owned();
        assert!(metrics.insert(name, (kind.to_owned(), labels)).is_none(), "twice: {row}");
    }
    assert!(metrics.len() > 30, "the table was found: {metrics:?}");
    metrics
}

/// The alerts that it explains, in its order.
pub(super) fn alert_sections() -> Vec<String> {
    let (_, rest) = TEXT.split_once("\n## Alerts\n").expect("a section on alerts");
    let (section, _) = rest.split_once("\n## ").expect("another section after it");
    section.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect()
}
