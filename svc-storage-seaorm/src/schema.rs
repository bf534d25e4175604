//! Which tables a database is to have, and where they are.

use std::collections::BTreeSet;

use thiserror::Error;

/// Tables that are made together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// What every unit of work may need: the audit log and kept replies.
    Core,
    /// Events, subscriptions, the delivery log and the queue.
    Webhooks,
    /// Tokens, sessions, passwords and budgets.
    Auth,
    /// Companies, people and their records.
    Business,
}

/// The tables that a database is to have for this crate. All of their names begin with `svc_`.
///
/// ```
/// # use svc_storage_seaorm::Schema;
/// let both = Schema::webhooks().and(Schema::auth());
/// assert_ne!(both, Schema::all());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    parts: BTreeSet<Part>,
    name: Option<String>,
}

impl Schema {
    /// The tables of `svc-webhooks`: events, subscriptions, the delivery log and the queue.
    #[must_use]
    pub fn webhooks() -> Self {
        Self::of([Part::Core, Part::Webhooks])
    }

    /// The tables of `svc-auth`: tokens, sessions, passwords and budgets.
    #[must_use]
    pub fn auth() -> Self {
        Self::of([Part::Core, Part::Auth])
    }

    /// Every table, those of `svc-business` with what it needs of the others.
    #[must_use]
    pub fn all() -> Self {
        Self::of([Part::Core, Part::Webhooks, Part::Auth, Part::Business])
    }

    /// The tables of both, where the first ones are.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self.name = self.name.or(other.name);
        self
    }

    /// In the schema of PostgreSQL with this name, which [`Database::migrate`](crate::Database::migrate) makes
    /// if it is not there. Without a name they are in the first schema of the `search_path`. SQLite has no
    /// schemas.
    ///
    /// # Errors
    /// [`SchemaNameError`] unless it is 1 to 63 of `a`–`z`, `0`–`9` and `_`, of which the first is no digit, and
    /// does not begin with `pg_`.
    pub fn named(mut self, name: &str) -> Result<Self, SchemaNameError> {
        let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let begins = name.bytes().next().is_some_and(|first| !first.is_ascii_digit());
        if !begins || name.len() > 63 || !name.bytes().all(known) || name.starts_with("pg_") {
            return Err(SchemaNameError(name.to_owned()));
        }
        self.name = Some(name.to_owned());
        Ok(self)
    }

    /// The name of its schema of PostgreSQL, if it has one of its own.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it has these tables.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    fn of(parts: impl IntoIterator<Item = Part>) -> Self {
        Self { parts: parts.into_iter().collect(), name: None }
    }
}

/// The text is no name of a schema that this crate takes.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{0}` is no name for a schema: 1 to 63 of a-z, 0-9 and _, of which the first is no digit, and not beginning with \
     pg_"
)]
pub struct SchemaNameError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_stand_in_a_statement_between_quotes() {
        for name in ["svc", "_own", "a1", "order", &"a".repeat(63)] {
            assert_eq!(Schema::all().named(name).expect(name).name(), Some(name));
        }
        for name in ["", "1a", "Own", "a-b", "a b", "a\"b", "a.b", "é", "pg_own", &"a".repeat(64)] {
            let error = Schema::all().named(name).expect_err(name).to_string();
            assert!(error.starts_with(&format!("`{name}`")), "{error}");
        }
    }

    #[test]
    fn two_together_have_the_tables_of_each_and_the_name_of_the_first_that_has_one() {
        let both = Schema::webhooks().and(Schema::auth().named("own").expect("a name"));
        assert!(both.has(Part::Core) && both.has(Part::Webhooks) && both.has(Part::Auth));
        assert!(!both.has(Part::Business));
        assert_eq!(both.name(), Some("own"));
        assert_eq!(both.and(Schema::all().named("other").expect("a name")).name(), Some("own"));
    }
}
