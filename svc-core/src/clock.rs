//! Instants, and the port that tells the present one.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;
use time::format_description::FormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

/// Tells the present instant.
///
/// # Implementing this port
/// Return the wall clock in UTC; tests return a value that they move by hand.
/// The call is synchronous and must not block.
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

/// An instant as Unix time in microseconds, UTC.
///
/// The text form is RFC 3339 with exactly three sub-second digits,
/// `2025-01-31T09:15:00.000Z`, as the specification (part 2.3) shows it; the
/// stored form is the integer, so that order in a database is order in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The text is not an RFC 3339 instant.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("expected an RFC 3339 instant such as 2025-01-31T09:15:00.000Z")]
pub struct TimestampError;

const MILLIS: &[FormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// The last microsecond of the year 9999, the largest instant with a text form.
const LATEST: i64 = 253_402_300_799_999_999;
/// The first microsecond of the year 0, the smallest instant with a text form.
const EARLIEST: i64 = -62_167_219_200_000_000;

impl Timestamp {
    /// From Unix microseconds; values outside the years 0 to 9999 are clamped.
    #[must_use]
    pub const fn from_unix_micros(micros: i64) -> Self {
        if micros > LATEST {
            Self(LATEST)
        } else if micros < EARLIEST {
            Self(EARLIEST)
        } else {
            Self(micros)
        }
    }

    /// From Unix seconds, clamped as [`Self::from_unix_micros`].
    #[must_use]
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self::from_unix_micros(seconds.saturating_mul(1_000_000))
    }

    /// Unix time in microseconds: the stored form.
    #[must_use]
    pub const fn unix_micros(self) -> i64 {
        self.0
    }

    /// Whole Unix seconds, rounded down.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This instant moved forward, saturating at the end of the year 9999.
    #[must_use]
    pub fn plus(self, wait: Duration) -> Self {
        let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
        Self::from_unix_micros(self.0.saturating_add(micros))
    }

    /// This instant moved back, saturating at the year 0.
    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        Self::from_unix_micros(self.0.saturating_sub(micros))
    }

    /// Time from `earlier` to this instant; zero when `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The calendar date of this instant in UTC.
    #[must_use]
    pub fn date(self) -> Date {
        self.to_offset().date()
    }

    /// The first instant of a UTC calendar date.
    #[must_use]
    pub fn start_of(date: Date) -> Self {
        Self::from_offset(date.midnight().assume_utc())
    }

    fn to_offset(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000)
            .expect("every Timestamp lies between the years 0 and 9999")
    }

    fn from_offset(value: OffsetDateTime) -> Self {
        let micros = value.unix_timestamp_nanos().div_euclid(1_000);
        Self::from_unix_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_offset().format(MILLIS).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl std::str::FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OffsetDateTime::parse(text, &Rfc3339).map(Self::from_offset).map_err(|_| TimestampError)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_exactly_three_subsecond_digits() {
        let instant = Timestamp::from_unix_micros(1_738_314_900_000_999);
        assert_eq!(instant.to_string(), "2025-01-31T09:15:00.000Z");
    }

    #[test]
    fn any_rfc_3339_offset_is_read_as_utc() {
        let instant: Timestamp = "2025-01-31T10:15:00.5+01:00".parse().expect("valid");
        assert_eq!(instant.to_string(), "2025-01-31T09:15:00.500Z");
        assert_eq!("yesterday".parse::<Timestamp>(), Err(TimestampError));
    }

    #[test]
    fn arithmetic_saturates_instead_of_wrapping() {
        let far = Timestamp::from_unix_micros(i64::MAX).plus(Duration::from_secs(1));
        assert_eq!(far.to_string(), "9999-12-31T23:59:59.999Z");
        assert_eq!(Timestamp::default().since(far), Duration::ZERO);
    }
}
