//! The steps of an attempt as bars on one line of time, for an SVG.

use std::time::Duration;

use svc_webhooks::ports::Timings;

use crate::instant::millis;
use crate::texts::Deliveries;

/// Units of the whole line.
const WIDTH: u64 = 1_000;
/// Units from one bar to the next.
const HEIGHT: u64 = 28;

/// A step of an attempt.
pub(super) struct Bar {
    pub(super) label: &'static str,
    /// The class of its colour.
    pub(super) class: &'static str,
    pub(super) took: String,
    pub(super) x: u64,
    pub(super) y: u64,
    pub(super) width: u64,
}

/// The bars of an attempt, in the order of time.
pub(super) struct Waterfall {
    pub(super) bars: Vec<Bar>,
    pub(super) height: u64,
    /// What the drawing says, in words.
    pub(super) told: String,
}

/// The steps that the attempt came to.
pub(super) fn of(timings: Timings, t: &Deliveries) -> Waterfall {
    let Timings { dns, connect, tls, first_byte, total } = timings;
    let opened = [dns, connect, tls].into_iter().flatten().sum::<Duration>();
    let answered = first_byte.unwrap_or(total);
    let steps = [
        (t.dns, "dns", dns),
        (t.connect, "connect", connect),
        (t.tls, "tls", tls),
        (t.wait, "wait", (answered > opened).then(|| answered.saturating_sub(opened))),
        (t.transfer, "transfer", first_byte.map(|first| total.saturating_sub(first))),
    ];
    let (mut at, mut bars) = (Duration::ZERO, Vec::new());
    for (label, class, took) in steps {
        let Some(took) = took else { continue };
        let (x, end) = (units(at, total), units(at.saturating_add(took), total));
        let y = HEIGHT.saturating_mul(bars.len() as u64);
        // A step that took next to nothing is seen too.
        bars.push(Bar { label, class, took: millis(took), x, y, width: end.saturating_sub(x).max(2) });
        at = at.saturating_add(took);
    }
    let height = HEIGHT.saturating_mul(bars.len() as u64);
    let told: Vec<String> = bars.iter().map(|bar| format!("{}: {}", bar.label, bar.took)).collect();
    Waterfall { bars, height, told: told.join(", ") }
}

fn units(at: Duration, total: Duration) -> u64 {
    let total = total.as_micros().max(1);
    let units = at.as_micros().saturating_mul(u128::from(WIDTH)) / total;
    u64::try_from(units).unwrap_or(WIDTH).min(WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn drawn(timings: Timings) -> Vec<(&'static str, u64, u64)> {
        let waterfall = of(timings, &Language::English.texts().deliveries);
        waterfall.bars.iter().map(|bar| (bar.class, bar.x, bar.width)).collect()
    }

    #[test]
    fn each_step_begins_where_the_one_before_it_ends() {
        let ms = |number| Some(Duration::from_millis(number));
        let timings = Timings {
            dns: ms(10),
            connect: ms(20),
            tls: ms(30),
            first_byte: ms(80),
            total: Duration::from_millis(100),
        };
        let expected = [
            ("dns", 0, 100),
            ("connect", 100, 200),
            ("tls", 300, 300),
            ("wait", 600, 200),
            ("transfer", 800, 200),
        ];
        assert_eq!(drawn(timings), expected);
    }

    #[test]
    fn an_attempt_shows_the_steps_that_it_came_to() {
        let ms = |number| Some(Duration::from_millis(number));
        let total = Duration::from_millis(10);
        assert_eq!(drawn(Timings { dns: ms(10), total, ..Timings::default() }), [("dns", 0, 1_000)]);
        assert_eq!(drawn(Timings { total, ..Timings::default() }), [("wait", 0, 1_000)]);
        assert_eq!(drawn(Timings::default()), []);
    }
}
