//! Permissions, what is granted, and the catalogue of a service (specification, part 5.6).

mod catalogue;
mod grants;

use std::fmt;

use serde::{Serialize, Serializer};

pub use self::catalogue::{GrantError, PermissionCatalogue};
pub use self::grants::{Grants, MalformedGrant};
use crate::name;

/// A permission: `<area>:<resource>.<action>`.
///
/// Which ones there are is said by the [`PermissionCatalogue`] of the service. A service whose permissions are
/// known only when it starts keeps their names with [`String::leak`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permission(&'static str);

impl Permission {
    /// The permission with this name; a constant of it is checked at compile time.
    ///
    /// ```
    /// # use svc_core::permission::Permission;
    /// const READ: Permission = Permission::of("orders:orders.read");
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use svc_core::permission::Permission;
    /// const READ: Permission = Permission::of("orders.read");
    /// ```
    ///
    /// # Panics
    /// When the name does not have the form `<area>:<resource>.<action>`, each part of lower-case letters,
    /// digits and `_`.
    #[must_use]
    pub const fn of(name: &'static str) -> Self {
        assert!(name::is_permission(name), "a permission has the form area:resource.action");
        Self(name)
    }

    /// The one of `known` with this name; a constant of it is checked at compile time.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
    pub const fn among(known: &[Self], name: &str) -> Self {
        let mut at = 0;
        while at < known.len() {
            if name::same(known[at].0, name) {
                return known[at];
            }
            at += 1;
        }
        panic!("the list has no such permission")
    }

    /// The full name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// The part before the colon.
    #[must_use]
    pub fn area(self) -> &'static str {
        self.0.split(':').next().unwrap_or_default()
    }

    /// The part after the dot.
    #[must_use]
    pub fn action(self) -> &'static str {
        self.0.rsplit('.').next().unwrap_or_default()
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for Permission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}
