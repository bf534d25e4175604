//! The catalogues that tests work with: those of the business service.

use std::sync::LazyLock;

use svc_auth::token::Policy;
use svc_business::catalogue;
use svc_core::event::{EventCatalogue, EventDeclaration};
use svc_core::permission::{Grants, Permission};
use svc_core::role::RoleGrants;
use svc_webhooks::subscription::Subscribable;

static EVENTS: LazyLock<EventCatalogue> = LazyLock::new(catalogue::events);

/// The events of the business service.
#[must_use]
pub fn events() -> &'static EventCatalogue {
    &EVENTS
}

/// The event type of this name, the test event too.
///
/// # Panics
/// When the business service has none.
#[must_use]
pub fn event(name: &str) -> EventDeclaration {
    *EVENTS.get(name).expect("an event of the business service")
}

/// What a caller that holds this may subscribe to.
#[must_use]
pub fn subscribable(held: &Grants) -> Subscribable<'_> {
    Subscribable::new(&EVENTS, held)
}

/// The permission of this name.
///
/// # Panics
/// When the business service has none.
#[must_use]
pub fn permission(name: &str) -> Permission {
    catalogue::permissions().all().find(|known| known.name() == name).expect("of the business service")
}

/// What each role may do in the business service.
#[must_use]
pub fn roles() -> RoleGrants {
    catalogue::roles()
}

/// Tokens with any permission of the business service, of any length of life.
#[must_use]
pub fn policy() -> Policy {
    Policy::of(catalogue::permissions())
}
