//! The table for people, and drawing it again in its place.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use svc_webhooks::ports::Count;

use super::report::{Age, Counted, Deliveries, Lane, Made, Outbox, Report};
use super::{LATE, jobs};
use crate::output::{self, Output, Tone};

/// The report as people read it.
pub(super) fn text(report: &Report, output: Output) -> String {
    let mut text = format!(
        "{}\n\n{:12}{}\n{:12}{}\n{:12}{}\n{:12}{}\n\n",
        output.tone(Tone::Quiet, &report.at.to_string()),
        "outbox",
        outbox(&report.outbox, output),
        "deliveries",
        deliveries(&report.deliveries, output),
        "latest",
        latest(&report.latest),
        "jobs",
        jobs::line(&report.jobs, report.at, output),
    );
    let troubled = jobs::table(&report.jobs, output);
    if !troubled.is_empty() {
        text.push_str(&troubled);
        text.push_str("\n\n");
    }
    if report.subscriptions.is_empty() {
        text.push_str(&output.tone(Tone::Good, "nothing is due"));
        return text;
    }
    let headings = ["due for", "due", "leased", "waiting", "attempts", "company", "subscription", "host"];
    let rows = report.subscriptions.iter().map(|lane| row(lane, output)).collect();
    text.push_str(&output::grid(&headings, rows));
    text
}

fn outbox(outbox: &Outbox, output: Output) -> String {
    match outbox.oldest {
        None => "empty".to_owned(),
        Some(oldest) => {
            format!("{} waiting, the oldest for {}", shown(outbox.events), age(oldest, output))
        }
    }
}

fn deliveries(deliveries: &Deliveries, output: Output) -> String {
    let Deliveries { waiting, due, leased, oldest_due } = deliveries;
    let mut text = format!("{} waiting: {} due, {} leased", shown(*waiting), shown(*due), shown(*leased));
    if let Some(oldest) = oldest_due {
        // Writing to a String does not fail.
        let _ = write!(text, "; due for {} at most", age(*oldest, output));
    }
    text
}

fn latest(latest: &Made) -> String {
    let Some(since) = latest.since else { return "none yet".to_owned() };
    let Made { delivered, pending, retrying, failed, .. } = latest;
    format!(
        "of {} made since {since}: {delivered} delivered, {pending} pending, {retrying} retrying, {failed} failed",
        latest.all()
    )
}

fn row(lane: &Lane, output: Output) -> Vec<String> {
    let or_id =
        |name: &Option<String>, id: Option<String>| name.clone().or(id).unwrap_or_else(|| "-".to_owned());
    vec![
        age(lane.oldest_due, output),
        shown(lane.due),
        shown(lane.leased),
        shown(lane.waiting),
        lane.attempts.to_owned(),
        or_id(&lane.company, lane.account_id.map(|id| id.to_string())),
        format!("{} {}", lane.name.as_deref().unwrap_or_default(), lane.subscription_id)
            .trim_start()
            .to_owned(),
        or_id(&lane.host, None),
    ]
}

pub(super) fn age(age: Age, output: Output) -> String {
    let text = humantime::format_duration(Duration::from_secs(age.seconds)).to_string();
    if age.seconds > LATE.as_secs() { output.tone(Tone::Bad, &text) } else { text }
}

/// `42`, `≥10,000` or `≈2,500,000`.
fn shown(counted: Counted) -> String {
    let mark = match counted.of {
        Count::Exactly(_) => "",
        Count::AtLeast { about: None, .. } => "≥",
        Count::AtLeast { about: Some(_), .. } => "≈",
    };
    let digits = counted.count.to_string();
    let mut text = mark.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A terminal whose screen is ours until this is dropped. What was drawn last stays.
pub(super) struct Screen(io::Stdout);

impl Screen {
    pub(super) fn open() -> Self {
        let mut screen = Self(io::stdout());
        // Clears the screen and hides the cursor.
        screen.put("\u{1b}[2J\u{1b}[?25l");
        screen
    }

    /// Draws a frame in the place of the one before, without clearing first: nothing flickers.
    pub(super) fn draw(&mut self, frame: &str) {
        self.put(&redrawn(frame));
    }

    /// A terminal that went away is no failure.
    fn put(&mut self, text: &str) {
        drop(self.0.write_all(text.as_bytes()).and_then(|()| self.0.flush()));
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.put("\u{1b}[?25h");
    }
}

/// From the top left corner, the rest of each line cleared, and everything below.
fn redrawn(frame: &str) -> String {
    let mut text = "\u{1b}[H".to_owned();
    for line in frame.lines() {
        text.push_str(line);
        text.push_str("\u{1b}[K\n");
    }
    text.push_str("\u{1b}[J");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_say_when_they_are_not_exact() {
        let counts = [
            Count::Exactly(0),
            Count::Exactly(999),
            Count::Exactly(1_000),
            Count::at_least(10_000),
            Count::at_least(10_000).or_about(Some(12_345_678)),
        ];
        let shown = counts.map(|count| shown(count.into()));
        assert_eq!(shown, ["0", "999", "1,000", "≥10,000", "≈12,345,678"]);
    }

    #[test]
    fn a_frame_leaves_nothing_of_the_one_before() {
        assert_eq!(redrawn("one\ntwo"), "\u{1b}[Hone\u{1b}[K\ntwo\u{1b}[K\n\u{1b}[J");
    }
}
