//! Query strings: only parameters that the route describes, each once.

use std::fmt::Display;
use std::str::FromStr;

use axum::extract::Query as Decode;
use http::Uri;
use svc_core::clock::Timestamp;
use svc_core::id::TypedId;
use svc_core::page::{Direction, PageError, PageRequest, PageRules, Sort};
use svc_core::pii::PiiAccess;
use svc_core::wire::UnknownName;
use time::Date;
use time::macros::format_description;

use crate::problem::{Code, Problem};

/// A query parameter as the route describes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) about: &'static str,
}

/// What a query parameter looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text,
    /// A text to look for.
    Search,
    Count,
    Date,
    Instant,
    /// A date, or an instant.
    Moment,
    /// One of these names; any other one is refused.
    OneOf(&'static [&'static str]),
    /// An id with this prefix.
    Id(&'static str),
}

impl Kind {
    /// An id of the type `T`.
    pub(crate) const fn id<T: TypedId>() -> Self {
        Self::Id(T::PREFIX)
    }

    /// Refuses a value that is none of the names, or too short. One that is empty is refused where it is read.
    fn check(self, value: &str) -> Result<(), String> {
        match self {
            Self::OneOf(known) if !value.trim().is_empty() && !known.contains(&value) => {
                Err(UnknownName { known }.to_string())
            }
            Self::Search if value.trim().chars().count() == 1 => {
                Err("must have at least two letters".to_owned())
            }
            Self::Text
            | Self::Search
            | Self::Count
            | Self::Date
            | Self::Instant
            | Self::Moment
            | Self::OneOf(_)
            | Self::Id(_) => Ok(()),
        }
    }
}

impl Param {
    pub(crate) const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, about }
    }
}

pub(crate) const PAGE: Param = Param::new("page", Kind::Count, "Which page, from 1.");
pub(crate) const LIMIT: Param =
    Param::new("limit", Kind::Count, "Items per page; a value above the maximum is capped.");
pub(crate) const COMPANY: Param = Param::new(
    "companyId",
    Kind::Text,
    "One company, a comma list, or `all` within the token's reach; the primary account when left out.",
);
pub(crate) const ADMINISTERED: Param = Param::new(
    COMPANY.name,
    Kind::Text,
    "One company, a comma list, or `all` that the person holds or administers; all of them when left out.",
);
pub(crate) const UPDATED_SINCE: Param =
    Param::new("updatedSince", Kind::Instant, "Only what changed at this instant or later.");
/// The text that a list is searched for.
pub(crate) const TEXT: &str = "q";

/// [`TEXT`] where it is looked for in these members.
macro_rules! text_in {
    ($members:literal) => {
        $crate::query::Param::new(
            $crate::query::TEXT,
            $crate::query::Kind::Search,
            concat!(
                "Text to search for in ",
                $members,
                ": a part of a word or several, with or without accents. At most 10,000 records are found."
            ),
        )
    };
}
pub(crate) use text_in;

fn after_millisecond(at: Timestamp) -> Timestamp {
    Timestamp::from_unix_micros(at.unix_micros().div_euclid(1_000).saturating_add(1).saturating_mul(1_000))
}

enum Moment {
    Day(Date),
    Instant(Timestamp),
}

/// How many items a query asks for at most; `None` when it does not say. What cannot be read counts as many.
pub(crate) fn wanted(uri: &Uri) -> Option<u32> {
    let Ok(Decode(pairs)) = Decode::<Vec<(String, String)>>::try_from_uri(uri) else { return Some(u32::MAX) };
    let limits = pairs.iter().filter(|(name, _)| name == LIMIT.name);
    limits.map(|(_, value)| count(value).unwrap_or(u32::MAX)).max()
}

/// Longest value of a parameter, in bytes.
const LONGEST: usize = 2_000;

/// The parameters of one request.
#[derive(Clone, Debug)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the query string of a route that knows these parameters.
    pub(crate) fn read(uri: &Uri, known: &[Param]) -> Result<Self, Problem> {
        let Decode(pairs) = Decode::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|error| Problem::parameter("query", error.to_string()))?;
        for (at, (name, value)) in pairs.iter().enumerate() {
            let Some(param) = known.iter().find(|param| param.name == name) else {
                return Err(unknown(name, known));
            };
            if pairs.iter().take(at).any(|(earlier, _)| earlier == name) {
                return Err(Problem::parameter(name, "is given more than once"));
            }
            // Bytes that are no UTF-8 were replaced by this character when they were decoded.
            if value.contains(char::REPLACEMENT_CHARACTER) {
                return Err(Problem::parameter(name, "must be UTF-8"));
            }
            if value.contains('\0') || value.len() > LONGEST {
                return Err(Problem::parameter(name, "is too long or contains a NUL character"));
            }
            param.kind.check(value).map_err(|fault| Problem::parameter(name, fault))?;
        }
        Ok(Self(pairs))
    }

    /// The value of a parameter; an empty one is refused.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((_, value)) if value.trim().is_empty() => Err(Problem::parameter(name, "must not be empty")),
            Some((_, value)) => Ok(Some(value)),
            None => Ok(None),
        }
    }

    /// The value of a parameter with a syntax of its own.
    pub(crate) fn parse<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Problem> {
        self.with(name, |text| text.parse::<T>().map_err(|error| error.to_string()))
    }

    /// The value of a parameter, made by `read`.
    pub(crate) fn with<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        read(text).map(Some).map_err(|message| Problem::parameter(name, message))
    }

    /// Refuses to filter by a member that the caller sees masked: it would tell its value by trying.
    pub(crate) fn unmasked(&self, name: &str, access: PiiAccess) -> Result<(), Problem> {
        if access.is_full() || self.text(name)?.is_none() {
            return Ok(());
        }
        let detail = format!("filtering by {name} needs a token with the option to see personal data");
        let problem = Problem::new(Code::PersonalDataFilter, detail.clone());
        Err(problem.at(name, "personal_data_required", detail))
    }

    /// A calendar date.
    pub(crate) fn date(&self, name: &str) -> Result<Option<Date>, Problem> {
        let form = format_description!("[year]-[month]-[day]");
        self.with(name, |text| {
            Date::parse(text, form).map_err(|_| "expected a date such as 2025-01-31".to_owned())
        })
    }

    /// The inclusive range of dates `from` to `to`.
    pub(crate) fn dates(&self) -> Result<(Option<Date>, Option<Date>), Problem> {
        match (self.date("from")?, self.date("to")?) {
            (Some(from), Some(to)) if from > to => {
                Err(Problem::parameter("from", "must not be later than `to`"))
            }
            range => Ok(range),
        }
    }

    /// The span from `from` to `to`, both inclusive, as its first instant and the one after its last. A
    /// date stands for the whole day, and an instant for the whole millisecond: the API writes no more.
    pub(crate) fn span(&self) -> Result<(Option<Timestamp>, Option<Timestamp>), Problem> {
        let from = self.moment("from")?.map(|moment| match moment {
            Moment::Day(day) => Timestamp::start_of(day),
            Moment::Instant(at) => at,
        });
        let before = self.moment("to")?.and_then(|moment| match moment {
            // The day after the last one that there can be is no bound at all.
            Moment::Day(day) => day.next_day().map(Timestamp::start_of),
            Moment::Instant(at) => Some(after_millisecond(at)),
        });
        if from.zip(before).is_some_and(|(from, before)| from >= before) {
            return Err(Problem::parameter("from", "must not be later than `to`"));
        }
        Ok((from, before))
    }

    fn moment(&self, name: &str) -> Result<Option<Moment>, Problem> {
        self.with(name, |text| {
            let form = format_description!("[year]-[month]-[day]");
            let day = Date::parse(text, form).map(Moment::Day).ok();
            day.or_else(|| text.parse().map(Moment::Instant).ok()).ok_or_else(|| {
                "expected a date such as 2025-01-31 or an instant such as 2025-01-31T09:15:00Z".to_owned()
            })
        })
    }

    /// `updatedSince`.
    pub(crate) fn updated_since(&self) -> Result<Option<Timestamp>, Problem> {
        self.parse(UPDATED_SINCE.name)
    }

    /// The page asked for. A page or limit too large for a number is as large as can be.
    pub(crate) fn page(&self, rules: PageRules) -> Result<PageRequest, Problem> {
        let page = self.with(PAGE.name, |text| {
            let page = count(text)?;
            // A page past the end is empty; one that cannot be counted is a mistake.
            if page == u32::MAX { Err("the page is too large".to_owned()) } else { Ok(page) }
        })?;
        let limit = self.with(LIMIT.name, count)?;
        rules.page(page, limit).map_err(|error| match error {
            PageError::Page => Problem::parameter(PAGE.name, error.to_string()),
            PageError::Limit => Problem::parameter(LIMIT.name, error.to_string()),
        })
    }

    /// The sort order asked for: one of the keys with these names.
    pub(crate) fn sort<K: Copy>(&self, keys: &[(&'static str, K)]) -> Result<Sort<K>, Problem> {
        let read = |text: &str| {
            let (name, direction) = match text.strip_prefix('-') {
                Some(name) => (name, Direction::Descending),
                None => (text, Direction::Ascending),
            };
            let key = keys.iter().find(|(known, _)| *known == name);
            let (_, key) = key.ok_or_else(|| {
                let names: Vec<_> = keys.iter().map(|(known, _)| *known).collect();
                format!("expected one of {}, with an optional - in front", names.join(", "))
            })?;
            Ok(Sort(Some((*key, direction))))
        };
        Ok(self.with("sort", read)?.unwrap_or_default())
    }
}

fn count(text: &str) -> Result<u32, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Only digits, so the one way to fail is to be too large.
    if digits {
        Ok(text.parse().unwrap_or(u32::MAX))
    } else {
        Err("expected a whole number from 1".to_owned())
    }
}

fn unknown(name: &str, known: &[Param]) -> Problem {
    let names: Vec<_> = known.iter().map(|param| param.name).collect();
    let hint = if names.is_empty() {
        "this route takes no query parameters".to_owned()
    } else {
        format!("this route takes {}", names.join(", "))
    };
    let name: String = name.chars().take(100).collect();
    Problem::new(Code::InvalidParameter, format!("unknown query parameter `{name}`: {hint}")).at(
        name,
        "unknown_parameter",
        hint,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_query_asks_for_counts_however_it_is_written() {
        for (query, limit) in [
            ("", None),
            ("page=2", None),
            ("limit=20", Some(20)),
            ("limit=%35%30%30&q=a", Some(500)),
            ("%6cimit=500", Some(500)),
            ("limit=99999999999", Some(u32::MAX)),
            ("limit=x", Some(u32::MAX)),
            ("limit=1&limit=300", Some(300)),
        ] {
            let uri = format!("/contacts?{query}").parse().expect("a URI");
            assert_eq!(wanted(&uri), limit, "{query}");
        }
    }
}
