//! `docs/alerts.yml`, read strictly: of YAML it uses the one shape that is expected here.

use std::collections::BTreeSet;

const TEXT: &str = include_str!("../../../../docs/alerts.yml");

/// Metrics of others that rules may ask for.
pub(super) const FOREIGN: &[&str] = &["up", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"];

/// One rule.
pub(super) struct Alert {
    pub(super) name: String,
    pub(super) expr: String,
    pub(super) runbook: String,
}

/// The rules of the file; every line must be the one that a rule has there.
pub(super) fn read() -> Vec<Alert> {
    let mut lines = TEXT.lines().filter(|line| !line.starts_with('#'));
    for expected in ["groups:", "  - name: svc", "    rules:"] {
        assert_eq!(lines.next(), Some(expected));
    }
    let mut alerts = Vec::new();
    while let Some(first) = lines.next() {
        let mut after = |start: &str| {
            let line = lines.next().unwrap_or_default();
            line.strip_prefix(start)
                .unwrap_or_else(|| panic!("`{start}…` expected after `{first}`, not `{line}`"))
        };
        let name = first.strip_prefix("      - alert: ").unwrap_or_else(|| panic!("no rule: {first}"));
        let expr = after("        expr: ");
        let wait = after("        for: ");
        assert!(wait.ends_with('m') || wait.ends_with('h'), "{name}: {wait}");
        assert_eq!(after("        labels:"), "");
        let severity = after("          severity: ");
        assert!(["page", "ticket"].contains(&severity), "{name}: {severity}");
        assert_eq!(after("        annotations:"), "");
        let summary = after("          summary: ");
        // What YAML would read as something else than this text.
        assert!(![summary, expr].iter().any(|text| text.contains(": ") || text.contains(" #")), "{name}");
        let runbook = after("          runbook: ").to_owned();
        alerts.push(Alert { name: name.to_owned(), expr: expr.to_owned(), runbook });
    }
    assert!(alerts.len() > 15, "the rules were found");
    alerts
}

/// The metrics that an expression asks for, and the labels that it chooses or groups by.
pub(super) fn asked(expr: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    assert_eq!(expr.matches('"').count() % 2, 0, "{expr}");
    let (mut metrics, mut labels) = (BTreeSet::new(), BTreeSet::new());
    // Texts out of the way first: they may hold anything.
    let bare: String = expr.split('"').step_by(2).collect();
    assert_eq!(bare.matches('(').count(), bare.matches(')').count(), "{expr}");
    let mut rest = bare.as_str();
    let mut grouping = false;
    while let Some(start) = rest.find(|one: char| one.is_ascii_alphabetic() || one == '_') {
        // A number before it makes it the unit of a time: `5m`.
        let unit = rest[..start].ends_with(|one: char| one.is_ascii_digit());
        if rest[..start].contains(')') {
            grouping = false;
        }
        let word = &rest[start..];
        let end = word.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let next = after.trim_start().chars().next();
        if word == "by" {
            grouping = true;
        } else if grouping || matches!(next, Some('=' | '!')) && !after.starts_with(' ') {
            labels.insert(word.to_owned());
        } else if next != Some('(') && !unit && !["sum", "min", "max"].contains(&word) {
            metrics.insert(word.to_owned());
        }
        rest = after;
    }
    labels.remove("le");
    labels.remove("instance");
    (metrics, labels)
}

#[test]
fn an_expression_is_taken_apart() {
    let (metrics, labels) = asked(
        "histogram_quantile(0.9, sum by (le, step) (rate(a_bucket{x=\"f(\",y!=\"b\"}[5m]))) / max(up) > 1",
    );
    assert_eq!(metrics.into_iter().collect::<Vec<_>>(), ["a_bucket", "up"]);
    assert_eq!(labels.into_iter().collect::<Vec<_>>(), ["step", "x", "y"]);
}
