//! What `/metrics` answers.

use std::collections::BTreeSet;

use super::Metrics;

/// The metrics in a scrape: what `# TYPE` says, and the labels of their samples.
pub(super) fn exposed(scrape: &str) -> Metrics {
    let mut metrics = Metrics::new();
    for line in scrape.lines() {
        if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            metrics.insert(name.to_owned(), (kind.to_owned(), BTreeSet::new()));
        }
    }
    for line in scrape.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (series, labels) = match line.split_once('{') {
            Some((name, rest)) => (name, rest.split_once('}').expect("closed").0),
            None => (line.split_once(' ').expect("a value").0, ""),
        };
        let name = ["_bucket", "_sum", "_count"]
            .iter()
            .filter_map(|end| series.strip_suffix(end))
            .find(|base| metrics.get(*base).is_some_and(|(kind, _)| kind == "histogram"))
            .unwrap_or(series);
        let (_, known) = metrics.get_mut(name).unwrap_or_else(|| panic!("no type: {line}"));
        let keys = labels.split("\",").filter_map(|label| label.split_once('=')).map(|(key, _)| key);
        known.extend(keys.filter(|key| *key != "le").map(str::to_owned));
    }
    metrics
}

/// How many series a metric has.
pub(super) fn labelled(scrape: &str, name: &str) -> usize {
    scrape.lines().filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('{'))).count()
}
