//! Events: their types, what a service declares of them, and one event with its signed body
//! (specification, parts 2.3 and 6.8).

mod body;
mod catalogue;
mod data;
mod declaration;
mod kind;
mod schema;

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

pub use self::body::MalformedBody;
pub use self::catalogue::{CatalogueError, EventCatalogue, UnknownEventType};
pub use self::data::EventData;
pub use self::declaration::{EventDeclaration, Language, Member};
pub use self::kind::{EventType, MalformedEventType};
use crate::clock::Timestamp;
use crate::id::{AccountId, EventId, TypedId};
use crate::random::RandomSource;
use crate::tenant::Tenant;

/// Something that happened, as subscribers are told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Identical on every attempt and resend.
    pub id: EventId,
    /// What happened.
    pub kind: EventType,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// The company, or another tenant, that it belongs to.
    pub tenant: Option<Tenant>,
    /// The resource type: `data.object` of the body.
    pub object: Cow<'static, str>,
    /// Id of the resource that it is about.
    pub object_id: String,
    /// Further members of `data`.
    pub data: EventData,
}

impl Event {
    /// An event of a company or of another [`Tenant`], happening now.
    pub fn new(
        declared: &EventDeclaration,
        tenant: impl Into<Tenant>,
        object_id: impl fmt::Display,
        now: Timestamp,
        random: &dyn RandomSource,
    ) -> Self {
        Self {
            id: EventId::generate(now, random),
            kind: declared.kind(),
            occurred_at: now,
            tenant: Some(tenant.into()),
            object: declared.object().into(),
            object_id: object_id.to_string(),
            data: EventData::default(),
        }
    }

    /// The account that it belongs to: that of its tenant.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        self.tenant.as_ref().map(Tenant::account)
    }

    /// The same event with one more member of `data`.
    ///
    /// # Panics
    /// When [`EventData::insert`] does.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.data.insert(name, value);
        self
    }

    /// The JSON body that is signed and sent, keys in the order of the specification, part 2.3; further members
    /// of `data` follow in alphabetical order.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("ids, names and JSON values always serialise")
    }
}

/// As its receivers see it: the members of [`Event::body`].
impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        body::Body::of(self).serialize(serializer)
    }
}
