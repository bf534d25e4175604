//! Which permissions a service has.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{Grants, Permission};

/// The text names neither a permission of the catalogue nor a wildcard that covers one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "neither a permission nor a wildcard: expected for example {example}, {area}:{resource}.*, {area}:*.read (level \
     {area}:read), {area}:*.* (level {area}:full), *:*.read (level read) or *:*.* (level full)"
)]
#[non_exhaustive]
pub struct GrantError {
    /// The text.
    pub text: String,
    example: &'static str,
    area: &'static str,
    resource: &'static str,
}

/// The permissions of a service, given at its start; what people write is checked against it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermissionCatalogue {
    /// In the order in which they were given.
    all: Vec<Permission>,
}

impl PermissionCatalogue {
    /// A catalogue of these permissions; repeated ones count once.
    pub fn new(permissions: impl IntoIterator<Item = Permission>) -> Self {
        let mut seen = BTreeSet::new();
        Self { all: permissions.into_iter().filter(|known| seen.insert(*known)).collect() }
    }

    /// Every permission, in the order in which they were given.
    pub fn all(&self) -> impl Iterator<Item = Permission> {
        self.all.iter().copied()
    }

    /// Reads names, wildcards and levels as people write them; repeated ones are kept once.
    ///
    /// # Errors
    /// The first text that covers no permission of the catalogue.
    pub fn grants<S: AsRef<str>>(&self, texts: impl IntoIterator<Item = S>) -> Result<Grants, GrantError> {
        let mut checked = Vec::new();
        for text in texts {
            let grants = Grants::parse([text.as_ref()]).ok();
            let covers_one = |grants: &Grants| self.all().any(|known| grants.cover(known));
            match grants.filter(covers_one) {
                Some(grants) => checked.extend_from_slice(grants.written()),
                None => return Err(self.refused(text.as_ref())),
            }
        }
        Ok(Grants::parse(checked).expect("each was read before"))
    }

    fn refused(&self, text: &str) -> GrantError {
        let example = self.all.first().map_or("area:resource.action", |first| first.name());
        let (area, rest) = example.split_once(':').unwrap_or_default();
        let resource = rest.split('.').next().unwrap_or_default();
        GrantError { text: text.to_owned(), example, area, resource }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> PermissionCatalogue {
        const READ: Permission = Permission::of("orders:orders.read");
        PermissionCatalogue::new([READ, Permission::of("stock:items.update"), READ])
    }

    #[test]
    fn a_grant_covers_a_permission_of_the_catalogue_or_is_refused_with_an_example() {
        let catalogue = catalogue();
        assert_eq!(catalogue.all().count(), 2);
        let grants =
            catalogue.grants(["orders:read", "stock:items.*", "orders:*.read", "full"]).expect("known");
        assert_eq!(grants.written(), ["orders:*.read", "stock:items.*", "*:*.*"]);
        for unknown in ["orders:orders.delete", "stock:read", "nothing:full", "orders:returns.*", "orders"] {
            let refused = catalogue.grants(["full", unknown]).expect_err(unknown);
            assert_eq!(refused.text, unknown);
            assert!(
                refused.to_string().contains("for example orders:orders.read, orders:orders.*,"),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_service_without_permissions_grants_none() {
        assert!(PermissionCatalogue::default().grants(["full"]).is_err());
        assert!(PermissionCatalogue::default().grants([""; 0]).is_ok_and(|none| none.is_empty()));
    }
}
