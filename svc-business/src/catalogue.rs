//! What the business service has: its permissions and its event types (specification, parts 5.6 and 6.8).

mod events;
mod permissions;

use svc_core::event::{EventCatalogue, EventDeclaration};
use svc_core::permission::{Grants, Permission, PermissionCatalogue};
use svc_core::role::RoleGrants;

/// The permissions of the business service.
#[must_use]
pub fn permissions() -> PermissionCatalogue {
    PermissionCatalogue::new(permissions::ALL.iter().copied())
}

/// What each role may do in the business service, as far as a person may let others act for them.
///
/// # Panics
/// Never: a test reads them.
#[must_use]
pub fn roles() -> RoleGrants {
    let grants = |texts: &str| texts.parse::<Grants>().expect("the test below reads them");
    RoleGrants {
        manager: grants(
            "contacts:full, crm:full, sales:full, purchases:full, treasury:full, documents:full, sign:full, \
             accounting:read, tax:read",
        ),
        accountant: grants(
            "accounting:full, treasury:full, tax:full, purchases:full, contacts:contacts.*, sales:read, \
             documents:files.*, documents:folders.*",
        ),
        employee: grants(
            "contacts:contacts.read, contacts:contacts.create, contacts:contacts.update, crm:full, \
             sales:invoices.read, sales:invoices.create, sales:invoices.update, purchases:documents.read, \
             purchases:documents.create, documents:files.*, documents:folders.*",
        ),
    }
}

/// The events of the business service.
#[must_use]
pub fn events() -> EventCatalogue {
    EventCatalogue::new(events::ALL.iter().copied()).expect("the test below makes one")
}

/// The permission with this name; a constant of it is checked at compile time.
///
/// ```compile_fail,E0080
/// # use svc_core::permission::Permission;
/// const READ: Permission = svc_business::catalogue::permission("contacts:contacts.raed");
/// ```
///
/// # Panics
/// When the business service has no such permission.
#[must_use]
pub const fn permission(name: &str) -> Permission {
    Permission::among(permissions::ALL, name)
}

/// The event type with this name; a constant of it is checked at compile time.
///
/// # Panics
/// When the business service has no such event.
#[must_use]
pub const fn event(name: &str) -> &'static EventDeclaration {
    EventDeclaration::among(events::ALL, name)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use svc_core::role::Role;

    use super::*;

    #[test]
    fn there_are_44_events_in_9_areas() {
        let mut areas: BTreeMap<&str, usize> = BTreeMap::new();
        for declared in events().all() {
            *areas.entry(declared.area()).or_default() += 1;
            let known = declared.permission().is_some_and(|needed| permissions::ALL.contains(&needed));
            assert!(
                known && declared.permission().is_some_and(|needed| needed.action() == "read"),
                "{declared:?}"
            );
            let route = declared.route().expect("each has one");
            assert!(route.ends_with("{id}") || route == "/tax/profile", "{declared:?}");
        }
        let expected = [
            ("accounting", 6),
            ("contacts", 8),
            ("crm", 2),
            ("documents", 4),
            ("purchases", 3),
            ("sales", 7),
            ("sign", 6),
            ("tax", 4),
            ("treasury", 4),
        ];
        assert_eq!(areas, expected.into());
    }

    #[test]
    fn every_role_may_do_what_it_is_there_for() {
        let may = |role, name| roles().of(role).cover(permission(name));
        for (role, count) in [
            (Role::Holder, 95),
            (Role::Administrator, 95),
            (Role::Manager, 72),
            (Role::Accountant, 61),
            (Role::Employee, 19),
            (Role::Auditor, 28),
        ] {
            assert_eq!(
                permissions().all().filter(|known| roles().of(role).cover(*known)).count(),
                count,
                "{role:?}"
            );
        }
        assert!(may(Role::Employee, "sales:invoices.create") && !may(Role::Employee, "sales:invoices.issue"));
        assert!(
            may(Role::Accountant, "accounting:journal.post")
                && !may(Role::Accountant, "sales:invoices.create")
        );
        assert!(may(Role::Manager, "sales:invoices.issue") && !may(Role::Manager, "accounting:journal.post"));
        assert!(may(Role::Auditor, "tax:returns.read") && !may(Role::Auditor, "tax:returns.create"));
    }

    #[test]
    fn there_are_95_permissions_each_once() {
        let names: BTreeSet<_> = permissions::ALL.iter().map(|known| known.name()).collect();
        assert_eq!((names.len(), permissions().all().count()), (95, 95));
    }

    #[test]
    fn wildcards_cover_the_permissions_that_they_match() {
        let covered = |text: &str| {
            let grants = permissions().grants([text]).expect("valid");
            permissions().all().filter(|known| grants.cover(*known)).map(Permission::name).collect::<Vec<_>>()
        };
        assert_eq!(covered("contacts:contacts.*").len(), 5);
        assert_eq!(covered("crm:*.read"), ["crm:cases.read"]);
        assert_eq!((covered("crm:full").len(), covered("full").len()), (3, 95));
    }
}
