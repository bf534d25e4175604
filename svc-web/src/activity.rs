//! What happens at a company lately, as charts: deliveries and failures by the hour, how long receivers take, and requests.
//!
//! A chart is an SVG of bars; its figures are in a table beside it, for who sees no drawing. The last bar is the hour that is
//! not over yet.

mod bars;

use std::time::Duration;

use svc_auth::limit::LimitStatus;
use svc_core::clock::Timestamp;
use svc_core::page::PageRules;
use svc_core::tenant::Scope;
use svc_http::Problem;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{HourOfDeliveries, HoursRequest};

use self::bars::{Bar, Quota};
use crate::gate::{Known, Seen};
use crate::texts::Activity as Texts;

const HOURS: u8 = 24;
const HOUR: Duration = Duration::from_hours(1);
/// Deliveries of an hour that are counted and looked at, shared by the subscriptions of the company.
const COUNTED: u64 = 5_000;
const LOOKED_AT: u64 = 240;

/// What the charts show.
pub(crate) struct Activity {
    /// None without a subscription.
    pub(crate) deliveries: Option<Deliveries>,
    pub(crate) quotas: [Quota; 2],
}

/// The deliveries of a day.
pub(crate) struct Deliveries {
    pub(crate) hours: Vec<Hour>,
    /// Where the first and the last hour begin.
    pub(crate) from: String,
    pub(crate) until: String,
    /// The tops of the charts.
    pub(crate) most: String,
    pub(crate) slowest: String,
    /// Whether an hour has more than is counted, and more than is looked at.
    pub(crate) more: bool,
    pub(crate) estimated: bool,
    pub(crate) none: bool,
    /// The drawings, and what they say in words.
    pub(crate) counts: Vec<Bar>,
    pub(crate) latencies: Vec<Bar>,
    pub(crate) counts_told: String,
    pub(crate) latencies_told: String,
}

/// A row of the tables.
pub(crate) struct Hour {
    /// When it begins: `15:00`, UTC.
    pub(crate) clock: String,
    /// `120`, or `5000+`.
    pub(crate) made: String,
    /// `3`, or `≈ 75`.
    pub(crate) failed: String,
    pub(crate) half: Option<String>,
    pub(crate) most: Option<String>,
}

/// The figures of an hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    made: u64,
    more: bool,
    /// Failed, for good or until now; estimated where not all were looked at.
    failed: u64,
    estimated: bool,
    /// Half of the attempts took no longer, and nineteen of twenty.
    half: Option<Duration>,
    most: Option<Duration>,
}

/// What the page of a company shows its administrators.
pub(crate) async fn of<G: Known>(seen: &Seen<G>, scope: &Scope) -> Result<Activity, Problem> {
    let (app, now) = (seen.visit.app(), seen.visit.now());
    let company = seen.gate.company().ok_or_else(Problem::not_found)?.id;
    let status = app.authenticator.limits_of(company).await?;
    let one = PageRules::USUAL.page(None, Some(1)).map_err(|_| Problem::internal())?;
    let subscriptions = app.webhooks.subscriptions().page(scope, one).await?.total;
    let t = &seen.texts().activity;
    let deliveries = if subscriptions == 0 {
        None
    } else {
        let request = request(now, subscriptions);
        let hours = app.webhooks.deliveries().hours(scope, request).await?;
        Some(shown(request, &hours, t))
    };
    Ok(Activity { deliveries, quotas: quotas(seen, status) })
}

/// The present hour and those before it.
fn request(now: Timestamp, subscriptions: u64) -> HoursRequest {
    let second = now.unix_seconds();
    let present = Timestamp::from_unix_seconds(second.saturating_sub(second.rem_euclid(3_600)));
    let share = |most: u64| u32::try_from(most.div_euclid(subscriptions.max(1)).max(1)).unwrap_or(u32::MAX);
    HoursRequest {
        from: present.minus(HOUR.saturating_mul(u32::from(HOURS - 1))),
        hours: HOURS,
        count: share(COUNTED),
        look: share(LOOKED_AT),
    }
}

fn shown(request: HoursRequest, hours: &[HourOfDeliveries], t: &Texts) -> Deliveries {
    let figures: Vec<Figures> = hours.iter().map(figures).collect();
    let rows: Vec<Hour> = request.spans().zip(&figures).map(|((from, _), of)| row(from, *of)).collect();
    let edge = |row: Option<&Hour>| row.map_or_else(String::new, |row| row.clock.clone());
    let most = figures.iter().map(|of| of.made).max().unwrap_or(0);
    let slowest = figures.iter().filter_map(|of| of.most).max();
    let more = figures.iter().any(|of| of.more);
    Deliveries {
        from: edge(rows.first()),
        until: edge(rows.last()),
        most: bars::counted(most, more),
        slowest: slowest.map_or_else(String::new, bars::span),
        more,
        estimated: figures.iter().any(|of| of.estimated),
        none: most == 0,
        counts: bars::counts(&figures, most),
        latencies: bars::latencies(&figures, slowest.unwrap_or(HOUR)),
        counts_told: bars::counts_told(&figures, t),
        latencies_told: bars::latencies_told(&figures, t),
        hours: rows,
    }
}

fn row(from: Timestamp, of: Figures) -> Hour {
    let exact = from.to_string();
    let clock = exact.split_once('T').and_then(|(_, time)| time.get(..5)).unwrap_or_default().to_owned();
    Hour {
        clock,
        made: bars::counted(of.made, of.more),
        failed: bars::about(of.failed, of.estimated),
        half: of.half.map(bars::span),
        most: of.most.map(bars::span),
    }
}

fn figures(hour: &HourOfDeliveries) -> Figures {
    let seen = u64::try_from(hour.seen.len()).unwrap_or(u64::MAX);
    let failed = hour.seen.iter().filter(|one| matches!(one.status, Status::Retrying | Status::Failed));
    let failed = u64::try_from(failed.count()).unwrap_or(u64::MAX);
    let estimated = hour.made > seen;
    let of_all = || failed.saturating_mul(hour.made).checked_div(seen).unwrap_or(0);
    let mut took: Vec<Duration> = hour.seen.iter().filter_map(|one| one.took).collect();
    took.sort_unstable();
    Figures {
        made: hour.made,
        more: hour.more,
        failed: if estimated { of_all() } else { failed },
        estimated,
        half: percentile(&took, 50),
        most: percentile(&took, 95),
    }
}

/// The least of these, in order, that so many of a hundred do not exceed.
fn percentile(took: &[Duration], of_a_hundred: usize) -> Option<Duration> {
    let rank = took.len().saturating_mul(of_a_hundred).div_ceil(100);
    took.get(rank.saturating_sub(1)).copied()
}

fn quotas<G: Known>(seen: &Seen<G>, status: LimitStatus) -> [Quota; 2] {
    let (t, now) = (&seen.texts().api, seen.visit.now());
    let LimitStatus { limits, minute_left, minute_resets_in, month_left, month_resets_in } = status;
    let minute = u64::from(limits.per_minute);
    [
        Quota::of(t.minute, minute, minute_left.into(), now.plus(minute_resets_in), t),
        Quota::of(t.month, limits.per_month, month_left, now.plus(month_resets_in), t),
    ]
}

#[cfg(test)]
mod tests {
    use svc_webhooks::ports::SeenDelivery;

    use super::*;

    fn seen(status: Status, millis: u64) -> SeenDelivery {
        SeenDelivery { status, took: Some(Duration::from_millis(millis)) }
    }

    #[test]
    fn an_hour_that_was_looked_at_as_a_whole_has_exact_figures() {
        let mut all: Vec<_> = (1..=18).map(|millis| seen(Status::Delivered, millis)).collect();
        all.extend([seen(Status::Failed, 19), seen(Status::Retrying, 20)]);
        all.push(SeenDelivery { status: Status::Pending, took: None });
        let of = figures(&HourOfDeliveries { made: 21, more: false, seen: all });
        assert_eq!((of.made, of.failed, of.estimated, of.more), (21, 2, false, false));
        assert_eq!((of.half, of.most), (Some(Duration::from_millis(10)), Some(Duration::from_millis(19))));
        assert_eq!(figures(&HourOfDeliveries::default()), Figures::default());
    }

    #[test]
    fn failures_beyond_what_was_looked_at_are_estimated_and_said_to_be() {
        let newest = vec![
            seen(Status::Delivered, 5),
            seen(Status::Failed, 5),
            seen(Status::Delivered, 5),
            seen(Status::Delivered, 5),
        ];
        let of = figures(&HourOfDeliveries { made: 1_000, more: true, seen: newest });
        assert_eq!((of.failed, of.estimated), (250, true));
        let row = row(Timestamp::from_unix_seconds(1_767_276_000), of);
        assert_eq!((row.clock.as_str(), row.made.as_str(), row.failed.as_str()), ("14:00", "1000+", "≈ 250"));
    }

    #[test]
    fn the_day_ends_with_the_hour_that_is_not_over_and_the_limits_are_shared() {
        let now = Timestamp::from_unix_seconds(1_767_276_000 + 1_234);
        let asked = request(now, 20);
        assert_eq!((asked.count, asked.look), (250, 12));
        let last = asked.spans().last().expect("an hour");
        assert!(last.0 <= now && now < last.1);
        assert_eq!((request(now, 1).count, request(now, 1_000_000).look), (5_000, 1));
    }
}
