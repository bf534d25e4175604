//! What a caller holds, and what that covers.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Permission;
use crate::name;

/// The text has neither the form of a permission nor that of a wildcard or a level.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "neither a permission (area:resource.action) nor a wildcard (area:resource.*, area:*.read, area:*.*, *:*.read, \
     *:*.*) nor a level (read, full, area:read, area:full)"
)]
pub struct MalformedGrant(pub String);

/// Permissions and wildcards that a caller holds.
///
/// Covering rules: a held permission covers itself; `<area>:<resource>.*`,
/// `<area>:*.read`, `<area>:*.*`, `*:*.read` and `*:*.*` cover what they match,
/// and nothing else does. Wildcards are kept as they were written, so that
/// permissions of later resources join by themselves. The levels `read` and
/// `full` are other names of `*:*.read` and `*:*.*`, and so are `<area>:read`
/// and `<area>:full` of the wildcards of one area. A level is read in any case:
/// the client area shows them as `Read` and `Full` (specification, part 2.1).
///
/// Reading them checks their form alone: a stored grant whose permission the
/// service no longer has covers nothing. What people write is checked against
/// a [`PermissionCatalogue`](super::PermissionCatalogue).
#[derive(Clone, PartialEq, Eq)]
pub struct Grants {
    written: Vec<String>,
}

impl Grants {
    /// Nothing at all.
    #[must_use]
    pub const fn none() -> Self {
        Self { written: Vec::new() }
    }

    /// Everything that there is, of any catalogue: what holders and administrators may do.
    #[must_use]
    pub fn all() -> Self {
        Self { written: vec!["*:*.*".to_owned()] }
    }

    /// To read everything that there is, of any catalogue.
    #[must_use]
    pub fn reading() -> Self {
        Self { written: vec!["*:*.read".to_owned()] }
    }

    /// Reads names, wildcards and levels; repeated ones are kept once.
    ///
    /// # Errors
    /// The first text that is none of them.
    pub fn parse<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Self, MalformedGrant> {
        let mut grants = Self::none();
        for text in texts {
            let written = wildcard_of(text.as_ref());
            if Pattern::of(&written).is_none() {
                return Err(MalformedGrant(text.as_ref().to_owned()));
            }
            if !grants.written.iter().any(|known| *known == written) {
                grants.written.push(written.into_owned());
            }
        }
        Ok(grants)
    }

    /// Whether one of the held permissions covers `required`.
    #[must_use]
    pub fn cover(&self, required: Permission) -> bool {
        self.written.iter().filter_map(|written| Pattern::of(written)).any(|held| held.covers(required))
    }

    /// What both cover, and nothing else: what is held as far as `bounds` allow it.
    ///
    /// ```
    /// # use svc_core::permission::Grants;
    /// let held: Grants = "orders:*.*, stock:items.update".parse()?;
    /// assert_eq!(held.within(&Grants::reading()), "orders:*.read".parse()?);
    /// # Ok::<(), svc_core::permission::MalformedGrant>(())
    /// ```
    #[must_use]
    pub fn within(&self, bounds: &Self) -> Self {
        let mut within = Self::none();
        for (held, bound) in self.pairs(bounds) {
            if let Some(both) = held.and(&bound).filter(|both| !within.written.contains(both)) {
                within.written.push(both);
            }
        }
        within
    }

    fn pairs<'a>(&'a self, others: &'a Self) -> impl Iterator<Item = (Pattern<'a>, Pattern<'a>)> {
        let patterns = |grants: &'a Self| grants.written.iter().filter_map(|written| Pattern::of(written));
        patterns(self).flat_map(move |one| patterns(others).map(move |other| (one, other)))
    }

    /// Names and wildcards as they were written.
    #[must_use]
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }
}

/// The wildcard that a level stands for; anything else as it is.
fn wildcard_of(text: &str) -> Cow<'_, str> {
    let (area, level) = text.split_once(':').unwrap_or(("*", text));
    if level.eq_ignore_ascii_case("read") {
        format!("{area}:*.read").into()
    } else if level.eq_ignore_ascii_case("full") {
        format!("{area}:*.*").into()
    } else {
        text.into()
    }
}

/// What a grant is compared with.
#[derive(Clone, Copy)]
enum Pattern<'a> {
    One(&'a str),
    /// All actions on a resource: what the name begins with.
    Resource(&'a str),
    Area(&'a str),
    AreaRead(&'a str),
    Everything,
    EverythingRead,
}

impl<'a> Pattern<'a> {
    fn of(written: &'a str) -> Option<Self> {
        match written {
            "*:*.*" => return Some(Self::Everything),
            "*:*.read" => return Some(Self::EverythingRead),
            _ => {}
        }
        if name::is_permission(written) {
            return Some(Self::One(written));
        }
        let (begin, action) = written.rsplit_once('.')?;
        let (area, resource) = begin.split_once(':')?;
        let whole = |part| name::is_word(part);
        match (resource, action) {
            ("*", "*") if whole(area) => Some(Self::Area(area)),
            ("*", "read") if whole(area) => Some(Self::AreaRead(area)),
            (_, "*") if whole(area) && whole(resource) => written.strip_suffix('*').map(Self::Resource),
            _ => None,
        }
    }

    fn covers(&self, required: Permission) -> bool {
        self.matches(required.name())
    }

    fn matches(&self, name: &str) -> bool {
        let of = |area: &str| name.strip_prefix(area).is_some_and(|rest| rest.starts_with(':'));
        let reads = name.rsplit('.').next() == Some("read");
        match *self {
            Self::One(known) => name == known,
            Self::Resource(begin) => name.starts_with(begin),
            Self::Area(area) => of(area),
            Self::AreaRead(area) => of(area) && reads,
            Self::Everything => true,
            Self::EverythingRead => reads,
        }
    }

    /// The one pattern that matches what both match, as it is written; `None` where that is nothing.
    fn and(&self, other: &Self) -> Option<String> {
        use Pattern::{Area, AreaRead, Everything, EverythingRead, One, Resource};
        match (*self, *other) {
            (Everything, both) | (both, Everything) => Some(both.written()),
            (One(name), pattern) | (pattern, One(name)) => pattern.matches(name).then(|| name.to_owned()),
            (EverythingRead, Resource(begin)) | (Resource(begin), EverythingRead) => {
                Some(format!("{begin}read"))
            }
            (EverythingRead, Area(area) | AreaRead(area)) | (Area(area) | AreaRead(area), EverythingRead) => {
                Some(AreaRead(area).written())
            }
            (EverythingRead, EverythingRead) => Some(EverythingRead.written()),
            (Resource(one), Resource(other)) => (one == other).then(|| Resource(one).written()),
            (Resource(begin), Area(area)) | (Area(area), Resource(begin)) => {
                Area(area).matches(begin).then(|| Resource(begin).written())
            }
            (Resource(begin), AreaRead(area)) | (AreaRead(area), Resource(begin)) => {
                Area(area).matches(begin).then(|| format!("{begin}read"))
            }
            (Area(one), Area(other)) => (one == other).then(|| Area(one).written()),
            (Area(one) | AreaRead(one), AreaRead(other)) | (AreaRead(one), Area(other)) => {
                (one == other).then(|| AreaRead(one).written())
            }
        }
    }

    fn written(&self) -> String {
        match *self {
            Self::One(name) => name.to_owned(),
            Self::Resource(begin) => format!("{begin}*"),
            Self::Area(area) => format!("{area}:*.*"),
            Self::AreaRead(area) => format!("{area}:*.read"),
            Self::Everything => "*:*.*".to_owned(),
            Self::EverythingRead => "*:*.read".to_owned(),
        }
    }
}

impl FromStr for Grants {
    type Err = MalformedGrant;

    /// Reads a list separated by commas.
    fn from_str(text: &str) -> Result<Self, MalformedGrant> {
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
    use super::*;

    const ALL: [Permission; 7] = [
        Permission::of("orders:orders.read"),
        Permission::of("orders:orders.create"),
        Permission::of("orders:orders_archive.read"),
        Permission::of("orders:returns.read"),
        Permission::of("orders:returns.approve"),
        Permission::of("stock:items.read"),
        Permission::of("stock:items.update"),
    ];

    fn covered(text: &str) -> Vec<&'static str> {
        let grants: Grants = text.parse().expect("valid");
        ALL.into_iter().filter(|known| grants.cover(*known)).map(Permission::name).collect()
    }

    #[test]
    fn each_wildcard_covers_what_it_matches_and_nothing_else() {
        assert_eq!(covered("orders:orders.read"), ["orders:orders.read"]);
        assert_eq!(covered("orders:orders.*"), ["orders:orders.read", "orders:orders.create"]);
        assert_eq!(
            covered("orders:*.read"),
            ["orders:orders.read", "orders:orders_archive.read", "orders:returns.read"]
        );
        assert_eq!(covered("stock:*.*"), ["stock:items.read", "stock:items.update"]);
        assert_eq!(covered("read"), [covered("orders:*.read"), vec!["stock:items.read"]].concat());
        assert_eq!(covered("full").len(), ALL.len());
        assert_eq!(covered("gone:gone.read"), [""; 0], "of a permission that the service no longer has");
    }

    #[test]
    fn what_is_within_both_is_covered_by_both_and_nothing_else_is() {
        let mut written = vec!["orders:*.read", "orders:*.*", "stock:*.read", "stock:*.*", "read", "full"];
        written.extend(["orders:orders.*", "orders:returns.*", "stock:items.*", "gone:gone.read"]);
        written.extend(ALL.map(Permission::name));
        let held: Vec<Grants> = written.iter().map(|text| text.parse().expect("valid")).collect();
        for (one, other) in held.iter().flat_map(|one| held.iter().map(move |other| (one, other))) {
            let within = one.within(other);
            for permission in ALL {
                let both = one.cover(permission) && other.cover(permission);
                assert_eq!(within.cover(permission), both, "{one:?} {other:?} {permission}");
            }
            assert!(within.written().len() <= 1, "{within:?}");
            // It can be stored and read again, and is the same from either side.
            assert_eq!(Grants::parse(within.written()), Ok(within.clone()));
            assert_eq!(other.within(one), within);
        }
        let several: Grants = "orders:full, stock:items.update, read".parse().expect("valid");
        let bounds: Grants = "read, orders:returns.*".parse().expect("valid");
        assert_eq!(
            several.within(&bounds).written(),
            ["orders:*.read", "orders:returns.*", "*:*.read", "orders:returns.read"]
        );
    }

    #[test]
    fn levels_are_kept_as_the_wildcards_that_they_stand_for() {
        let grants: Grants = "orders:read, stock:full, read, stock:*.*".parse().expect("valid");
        assert_eq!(grants.written(), ["orders:*.read", "stock:*.*", "*:*.read"]);
        assert_eq!(covered("orders:read"), covered("orders:*.read"));
        assert_eq!(covered("stock:full"), covered("stock:*.*"));
    }

    #[test]
    fn a_level_is_read_in_any_case_and_nothing_else_is() {
        let grants: Grants = "Read, FULL, orders:Read, stock:Full".parse().expect("valid");
        assert_eq!(grants.written(), ["*:*.read", "*:*.*", "orders:*.read", "stock:*.*"]);
        for text in ["orders:orders.Read", "orders:*.Read", "Orders:Read"] {
            assert_eq!(text.parse::<Grants>(), Err(MalformedGrant(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "orders",
            "*:*.create",
            "orders:*.create",
            "*:orders.read",
            "*:orders.*",
            "orders:write",
            ":read",
            "a:b:c.*",
            "Orders:full",
            "*",
        ] {
            assert_eq!(text.parse::<Grants>(), Err(MalformedGrant(text.to_owned())), "{text}");
        }
    }
}
