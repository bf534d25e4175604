//! The permission catalogue and what covers what (specification, part 5.6).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// A permission of the catalogue: `<area>:<resource>.<action>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permission(u8);

/// Every permission there is.
///
/// The position is an index in memory only; what is stored is always the name.
const CATALOGUE: &[&str] = &[
    "contacts:contacts.read",
    "contacts:contacts.create",
    "contacts:contacts.update",
    "contacts:contacts.delete",
    "contacts:contacts.merge",
    "contacts:accounts.read",
    "contacts:accounts.create",
    "contacts:accounts.update",
    "contacts:accounts.delete",
    "contacts:accounts.merge",
    "contacts:groups.read",
    "contacts:members.read",
    "crm:cases.read",
    "crm:cases.create",
    "crm:cases.update",
    "sales:invoices.read",
    "sales:invoices.create",
    "sales:invoices.update",
    "sales:invoices.delete",
    "sales:invoices.issue",
    "sales:invoices.send",
    "sales:invoices.pay",
    "sales:invoices.void",
    "sales:series.read",
    "sales:series.create",
    "sales:series.update",
    "purchases:documents.read",
    "purchases:documents.create",
    "purchases:documents.update",
    "purchases:documents.approve",
    "purchases:documents.pay",
    "purchases:suppliers.read",
    "purchases:suppliers.create",
    "purchases:suppliers.update",
    "accounting:books.read",
    "accounting:books.update",
    "accounting:accounts.read",
    "accounting:accounts.create",
    "accounting:accounts.update",
    "accounting:accounts.delete",
    "accounting:journal.read",
    "accounting:journal.create",
    "accounting:journal.update",
    "accounting:journal.post",
    "accounting:journal.delete",
    "accounting:fiscal_years.read",
    "accounting:fiscal_years.create",
    "accounting:fiscal_years.close",
    "accounting:fixed_assets.read",
    "accounting:fixed_assets.create",
    "accounting:fixed_assets.update",
    "accounting:reports.read",
    "treasury:bank_accounts.read",
    "treasury:bank_accounts.create",
    "treasury:bank_accounts.update",
    "treasury:bank_movements.read",
    "treasury:bank_movements.create",
    "treasury:bank_movements.update",
    "treasury:reconciliation.read",
    "treasury:reconciliation.create",
    "treasury:reconciliation.delete",
    "treasury:balances.read",
    "tax:returns.read",
    "tax:returns.create",
    "tax:returns.prepare",
    "tax:returns.submit",
    "tax:profile.read",
    "tax:profile.update",
    "tax:notices.read",
    "tax:notices.create",
    "tax:notices.update",
    "tax:rates.read",
    "documents:files.read",
    "documents:files.create",
    "documents:files.update",
    "documents:files.delete",
    "documents:folders.read",
    "documents:folders.create",
    "documents:folders.update",
    "documents:folders.delete",
    "documents:data_room.read",
    "documents:data_room.create",
    "documents:data_room.delete",
    "sign:envelopes.read",
    "sign:envelopes.create",
    "sign:envelopes.update",
    "sign:envelopes.send",
    "sign:envelopes.void",
    "sign:envelopes.reassign",
    "sign:envelopes.delete",
    "developers:webhooks.read",
    "developers:webhooks.create",
    "developers:webhooks.update",
    "developers:webhooks.delete",
    "developers:webhooks.test",
];

// `Grants` keeps one bit per permission.
const _: () = assert!(CATALOGUE.len() <= 128, "the set of permissions outgrew its 128 bits");

impl Permission {
    /// The permission with this name, checked when it is used in a constant.
    ///
    /// # Panics
    /// When the catalogue has no such permission.
    #[must_use]
    #[expect(
        clippy::indexing_slicing,
        reason = "const code cannot use `get` with iterators; the bound is checked"
    )]
    pub const fn of(name: &str) -> Self {
        let mut at = 0;
        while at < CATALOGUE.len() {
            if same(CATALOGUE[at], name) {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the catalogue has fewer than 128 entries"
                )]
                return Self(at as u8);
            }
            at += 1;
        }
        panic!("no such permission in the catalogue")
    }

    /// Every permission, in catalogue order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CATALOGUE.len()).filter_map(|at| u8::try_from(at).ok()).map(Self)
    }

    /// The full name.
    #[must_use]
    pub fn name(self) -> &'static str {
        CATALOGUE.get(usize::from(self.0)).expect("a permission is an index into the catalogue")
    }

    /// The part before the colon.
    #[must_use]
    pub fn area(self) -> &'static str {
        self.name().split(':').next().unwrap_or_default()
    }

    /// The part after the dot.
    #[must_use]
    pub fn action(self) -> &'static str {
        self.name().rsplit('.').next().unwrap_or_default()
    }

    fn bit(self) -> u128 {
        1 << self.0
    }
}

/// Byte equality that constants can use.
#[expect(clippy::indexing_slicing, reason = "const code has no iterators; both bounds are checked")]
pub(crate) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Permission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The text names neither a permission nor one of the wildcards.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "neither a permission nor a wildcard: expected for example contacts:contacts.read, \
     contacts:contacts.*, contacts:*.read (level contacts:read), contacts:*.* (level contacts:full), \
     *:*.read (level read) or *:*.* (level full)"
)]
pub struct GrantError(pub String);

/// Permissions and wildcards that a caller holds.
///
/// Covering rules: a held permission covers itself; `<area>:<resource>.*`,
/// `<area>:*.read`, `<area>:*.*`, `*:*.read` and `*:*.*` cover what they match,
/// and nothing else does. Wildcards are kept as they were written, so that
/// permissions of later resources join by themselves. The levels `read` and
/// `full` are other names of `*:*.read` and `*:*.*`, and so are `<area>:read`
/// and `<area>:full` of the wildcards of one area.
#[derive(Clone, PartialEq, Eq)]
pub struct Grants {
    written: Vec<String>,
    bits: u128,
}

impl Grants {
    /// Nothing at all.
    #[must_use]
    pub const fn none() -> Self {
        Self { written: Vec::new(), bits: 0 }
    }

    /// Reads names and wildcards; repeated ones are kept once.
    ///
    /// # Errors
    /// The first text that is neither.
    pub fn parse<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Self, GrantError> {
        let mut grants = Self::none();
        for text in texts {
            let written = wildcard_of(text.as_ref());
            let bits = bits_of(&written).ok_or_else(|| GrantError(text.as_ref().to_owned()))?;
            if !grants.written.iter().any(|known| *known == written) {
                grants.written.push(written.into_owned());
            }
            grants.bits |= bits;
        }
        Ok(grants)
    }

    /// Whether one of the held permissions covers `required`.
    #[must_use]
    pub fn cover(&self, required: Permission) -> bool {
        self.bits & required.bit() != 0
    }

    /// Names and wildcards as they were written.
    #[must_use]
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }
}

/// The wildcard that a level stands for; anything else as it is.
fn wildcard_of(text: &str) -> Cow<'_, str> {
    let (area, level) = text.split_once(':').unwrap_or(("*", text));
    match level {
        "read" => format!("{area}:*.read").into(),
        "full" => format!("{area}:*.*").into(),
        _ => text.into(),
    }
}

fn bits_of(written: &str) -> Option<u128> {
    let matching = |test: &dyn Fn(Permission) -> bool| {
        let bits = Permission::all().filter(|known| test(*known)).fold(0, |bits, known| bits | known.bit());
        (bits != 0).then_some(bits)
    };
    let (area, rest) = written.split_once(':')?;
    let (resource, action) = rest.split_once('.')?;
    match (area, resource, action) {
        ("*", "*", "*") => matching(&|_| true),
        ("*", "*", "read") => matching(&|known| known.action() == "read"),
        ("*", _, _) => None,
        (_, "*", "*") => matching(&|known| known.area() == area),
        (_, "*", "read") => matching(&|known| known.area() == area && known.action() == "read"),
        (_, "*", _) => None,
        (_, _, "*") => {
            let prefix = written.strip_suffix('*')?;
            matching(&|known| known.name().starts_with(prefix))
        }
        _ => matching(&|known| known.name() == written),
    }
}

impl FromStr for Grants {
    type Err = GrantError;

    /// Reads a list separated by commas.
    fn from_str(text: &str) -> Result<Self, GrantError> {
        Self::parse(text.split(',').map(str::trim).filter(|part| !part.is_empty()))
    }
}

impl fmt::Debug for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.written).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn covered(text: &str) -> BTreeSet<&'static str> {
        let grants: Grants = text.parse().expect("valid");
        Permission::all().filter(|known| grants.cover(*known)).map(Permission::name).collect()
    }

    #[test]
    fn names_are_unique_and_well_formed() {
        let names: BTreeSet<_> = Permission::all().map(Permission::name).collect();
        assert_eq!(names.len(), CATALOGUE.len());
        assert!(names.iter().all(|name| name.split([':', '.']).count() == 3));
    }

    #[test]
    fn each_wildcard_covers_what_it_matches_and_nothing_else() {
        assert_eq!(covered("contacts:contacts.read"), ["contacts:contacts.read"].into());
        assert_eq!(covered("contacts:contacts.*").len(), 5);
        assert_eq!(covered("crm:*.read"), ["crm:cases.read"].into());
        assert_eq!(covered("crm:*.*").len(), 3);
        let read: Grants = "read".parse().expect("valid");
        assert!(Permission::all().all(|known| read.cover(known) == (known.action() == "read")));
        assert_eq!(covered("full").len(), CATALOGUE.len());
    }

    #[test]
    fn levels_are_kept_as_the_wildcards_that_they_stand_for() {
        let grants: Grants = "sales:read, crm:full, read, crm:*.*".parse().expect("valid");
        assert_eq!(grants.written(), ["sales:*.read", "crm:*.*", "*:*.read"]);
        assert_eq!(covered("sales:read"), covered("sales:*.read"));
        assert_eq!(covered("crm:full"), covered("crm:*.*"));
    }

    #[test]
    fn a_write_permission_does_not_imply_its_read() {
        assert!(!covered("contacts:contacts.create").contains("contacts:contacts.read"));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "contacts",
            "*:*.create",
            "contacts:*.create",
            "*:contacts.read",
            "contacts:nothing.*",
            "nothing:read",
            "nothing:full",
            "contacts:write",
            ":read",
            "a:b.c",
            "*",
        ] {
            assert_eq!(text.parse::<Grants>(), Err(GrantError(text.to_owned())), "{text}");
        }
    }
}
