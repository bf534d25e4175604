//! How long what a person makes may live: the lengths that forms offer.

use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::instant::days;
use crate::texts::Tokens;

/// In days.
const LIVES: [u64; 4] = [7, 30, 90, 365];
/// What forms offer first.
pub(crate) const USUAL: &str = "90";
/// Without an end.
const NEVER: &str = "never";

/// A length of life that a form offers.
pub(crate) struct Life {
    pub(crate) value: String,
    pub(crate) text: String,
    pub(crate) chosen: bool,
}

/// Those that the operator allows, with `others` before the one without an end.
pub(crate) fn offered(
    t: &Tokens,
    longest: Option<Duration>,
    chosen: &str,
    others: &[(&str, &str)],
) -> Vec<Life> {
    let allowed = LIVES.into_iter().filter(|life| longest.is_none_or(|longest| days(*life) <= longest));
    let text = |life: u64| if life == 365 { t.life_year.to_owned() } else { t.life_days(life) };
    let mut all: Vec<(String, String)> = allowed.map(|life| (life.to_string(), text(life))).collect();
    all.extend(others.iter().map(|(value, text)| ((*value).to_owned(), (*text).to_owned())));
    if longest.is_none() {
        all.push((NEVER.to_owned(), t.life_never.to_owned()));
    }
    let life = |(value, text): (String, String)| Life { chosen: value == chosen, value, text };
    all.into_iter().map(life).collect()
}

/// A value that no form offers.
pub(crate) struct NotOffered;

/// When a life that begins now ends; `None` for never.
pub(crate) fn end(value: &str, now: Timestamp) -> Result<Option<Timestamp>, NotOffered> {
    if value == NEVER {
        return Ok(None);
    }
    let known = LIVES.into_iter().find(|known| known.to_string() == value).ok_or(NotOffered)?;
    Ok(Some(now.plus(days(known))))
}
