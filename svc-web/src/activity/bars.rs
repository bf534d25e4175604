//! Figures as bars of an SVG.

use std::time::Duration;

use svc_core::clock::Timestamp;

use super::Figures;
use crate::instant::{Instant, millis};
use crate::texts::{Activity as Texts, Api, filled};

/// Units from one hour to the next, those of its bar, and those of the tallest.
const STEP: u64 = 20;
const WIDTH: u64 = 16;
const HEIGHT: u64 = 100;
/// Units of a whole quota.
const WHOLE: u64 = 1_000;

/// A bar, or a part of one.
pub(crate) struct Bar {
    /// The class of its colour.
    pub(crate) class: &'static str,
    pub(crate) x: u64,
    pub(crate) y: u64,
    pub(crate) width: u64,
    pub(crate) height: u64,
}

/// Requests of the company within a span of time, and how many there may be.
pub(crate) struct Quota {
    pub(crate) name: &'static str,
    pub(crate) told: String,
    pub(crate) bar: Bar,
    pub(crate) resets: Instant,
}

impl Quota {
    pub(super) fn of(name: &'static str, limit: u64, left: u64, resets: Timestamp, t: &Api) -> Self {
        let used = limit.saturating_sub(left);
        let class = if used >= limit.saturating_sub(limit / 10) { "bar-bad" } else { "bar-main" };
        let told = filled(&filled(t.used, used), limit);
        let bar = Bar { class, x: 0, y: 0, width: part(used, limit, WHOLE), height: STEP };
        Self { name, told, bar, resets: resets.into() }
    }
}

/// What arrived or is under way, with failures on top.
pub(super) fn counts(hours: &[Figures], most: u64) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (x, of) in places().zip(hours) {
        let whole = part(of.made, most, HEIGHT);
        let failed = part(of.failed, most, HEIGHT).min(whole);
        bars.push(bar("bar-good", x, HEIGHT.saturating_sub(whole).saturating_add(failed), HEIGHT));
        bars.push(bar(
            "bar-bad",
            x,
            HEIGHT.saturating_sub(whole),
            HEIGHT.saturating_sub(whole).saturating_add(failed),
        ));
    }
    bars.retain(|bar| bar.height > 0);
    bars
}

/// What half of the attempts take, before what nineteen of twenty do.
pub(super) fn latencies(hours: &[Figures], slowest: Duration) -> Vec<Bar> {
    let micros = |span: Duration| u64::try_from(span.as_micros()).unwrap_or(u64::MAX);
    let mut bars = Vec::new();
    for (x, of) in places().zip(hours) {
        for (class, took) in [("bar-quiet", of.most), ("bar-main", of.half)] {
            let height = took.map_or(0, |took| part(micros(took), micros(slowest), HEIGHT));
            bars.push(bar(class, x, HEIGHT.saturating_sub(height), HEIGHT));
        }
    }
    bars.retain(|bar| bar.height > 0);
    bars
}

/// What the first drawing says.
pub(super) fn counts_told(hours: &[Figures], t: &Texts) -> String {
    let sum = |of: fn(&Figures) -> u64| hours.iter().map(of).fold(0_u64, u64::saturating_add);
    let made = counted(sum(|of| of.made), hours.iter().any(|of| of.more));
    filled(&filled(t.counts_told, made), about(sum(|of| of.failed), hours.iter().any(|of| of.estimated)))
}

/// `120`, or `5000+` where there are more.
pub(super) fn counted(count: u64, more: bool) -> String {
    format!("{count}{}", if more { "+" } else { "" })
}

/// `3`, or `≈ 75` where it is estimated.
pub(super) fn about(count: u64, estimated: bool) -> String {
    format!("{}{count}", if estimated { "≈ " } else { "" })
}

/// What the second one says: of the latest hour that has anything.
pub(super) fn latencies_told(hours: &[Figures], t: &Texts) -> String {
    let last = hours.iter().rev().find_map(|of| of.half.zip(of.most));
    last.map_or_else(String::new, |(half, most)| filled(&filled(t.latencies_told, span(half)), span(most)))
}

/// `12.3 ms`, `4.50 s`.
pub(super) fn span(took: Duration) -> String {
    if took < Duration::from_secs(1) {
        return millis(took);
    }
    let hundredths = took.as_millis() / 10;
    format!("{}.{:02} s", hundredths / 100, hundredths % 100)
}

/// Where the bar of each hour begins.
fn places() -> impl Iterator<Item = u64> {
    (0_u64..).map(|number| number.saturating_mul(STEP))
}

fn bar(class: &'static str, x: u64, from: u64, to: u64) -> Bar {
    Bar { class, x, y: from, width: WIDTH, height: to.saturating_sub(from) }
}

/// What is more than nothing is seen, however little it is.
fn part(of: u64, all: u64, units: u64) -> u64 {
    let share = u128::from(of).saturating_mul(u128::from(units)).checked_div(u128::from(all)).unwrap_or(0);
    let share = u64::try_from(share).unwrap_or(units).min(units);
    if of > 0 { share.max(2) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_the_ground_and_failures_on_top_of_the_rest() {
        let hours = [
            Figures { made: 10, failed: 5, ..Figures::default() },
            Figures::default(),
            Figures { made: 1_000, failed: 1, ..Figures::default() },
        ];
        let drawn: Vec<_> =
            counts(&hours, 1_000).iter().map(|bar| (bar.class, bar.x, bar.y, bar.height)).collect();
        assert_eq!(drawn, [("bar-bad", 0, 98, 2), ("bar-good", 40, 2, 98), ("bar-bad", 40, 0, 2)]);
        assert_eq!(counts(&[Figures::default()], 0).len(), 0);
    }

    #[test]
    fn spans_are_read_by_people() {
        assert_eq!(
            [1_500, 999_900, 4_507_000].map(|micros| span(Duration::from_micros(micros))),
            ["1.5 ms", "999.9 ms", "4.50 s"]
        );
    }
}
