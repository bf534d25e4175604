//! The table of subscriptions.

use std::collections::BTreeSet;

use sea_orm::Set;
use sea_orm::entity::prelude::*;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{AccountId, SubscriptionId, TokenId, TypedId, UserId};
use svc_core::resource::Version;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::subscription::{Author, CustomHeaders, InFlight, SigningSecret, State, Subscription};

use crate::seal::{SealedCell, Sealer};
use crate::value::{broken, from_json, json, parsed};
use zeroize::Zeroizing;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "svc_subscriptions")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub name: String,
    pub url: String,
    pub events: String,
    pub secret: Vec<u8>,
    pub active_since: Option<i64>,
    pub created_by: Option<Uuid>,
    pub created_by_person: Option<Uuid>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub in_flight: i16,
    pub headers: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The row of a subscription.
pub(super) fn of(subscription: &Subscription, sealer: &Sealer) -> ActiveModel {
    let (id, account) = (subscription.id.uuid(), subscription.account.uuid());
    let secret = sealer.seal(&cell(account, &id), subscription.secret.expose().as_bytes());
    let headers: Vec<_> = subscription.headers.iter().map(|(name, value)| (name, value.expose())).collect();
    // Sealed whenever the secret is, so a key that opens all secrets opens all headers.
    let headers = (!headers.is_empty())
        .then(|| sealer.seal(&headers_cell(account, &id), Zeroizing::new(json(&headers)).as_bytes()));
    let (token, person) = match subscription.author {
        Author::Token(token) => (Some(token.uuid()), None),
        Author::Person(person) => (None, Some(person.uuid())),
        Author::Service => (None, None),
    };
    ActiveModel {
        id: Set(id),
        account_id: Set(account),
        name: Set(subscription.name.clone()),
        url: Set(subscription.endpoint.as_str().to_owned()),
        events: Set(json(&subscription.events)),
        secret: Set(secret),
        active_since: Set(match subscription.state {
            State::Active { since } => Some(since.unix_micros()),
            State::Inactive => None,
        }),
        created_by: Set(token),
        created_by_person: Set(person),
        version: Set(subscription.version.as_i64()),
        created_at: Set(subscription.created_at.unix_micros()),
        updated_at: Set(subscription.updated_at.unix_micros()),
        in_flight: Set(i16::try_from(subscription.in_flight.get()).unwrap_or(i16::MAX)),
        headers: Set(headers),
    }
}

/// The subscription of a row.
pub(super) fn read(row: Model, sealer: &Sealer) -> Result<Subscription, StoreError> {
    let secret = sealer.open(&cell(row.account_id, &row.id), &row.secret)?;
    let secret = String::from_utf8(secret).map_err(|_| broken("subscriptions.secret"))?;
    let headers = headers(&row, sealer)?;
    of_row(row, SigningSecret::from_stored(secret), headers)
}

/// The subscription of a row whose secret this process cannot open, without it and its headers: for what sends nothing.
pub(super) fn read_sealed(row: Model) -> Result<Subscription, StoreError> {
    of_row(row, SigningSecret::from_stored(String::new()), CustomHeaders::default())
}

fn of_row(row: Model, secret: SigningSecret, headers: CustomHeaders) -> Result<Subscription, StoreError> {
    let names: Vec<String> = from_json("subscriptions.events", &row.events)?;
    let events: Result<BTreeSet<EventType>, StoreError> =
        names.iter().map(|name| parsed("subscriptions.events", name)).collect();
    let in_flight = u16::try_from(row.in_flight).ok().and_then(InFlight::new);
    Ok(Subscription {
        id: SubscriptionId::from_uuid(row.id),
        account: AccountId::from_uuid(row.account_id),
        name: row.name,
        endpoint: Endpoint::parse(&row.url).map_err(|_| broken("subscriptions.url"))?,
        events: events?,
        secret,
        headers,
        state: match row.active_since {
            Some(since) => State::Active { since: Timestamp::from_unix_micros(since) },
            None => State::Inactive,
        },
        in_flight: in_flight.ok_or_else(|| broken("subscriptions.in_flight"))?,
        author: author(row.created_by, row.created_by_person)?,
        version: Version::from_i64(row.version),
        created_at: Timestamp::from_unix_micros(row.created_at),
        updated_at: Timestamp::from_unix_micros(row.updated_at),
    })
}

fn author(token: Option<Uuid>, person: Option<Uuid>) -> Result<Author, StoreError> {
    match (token, person) {
        (Some(token), None) => Ok(Author::Token(TokenId::from_uuid(token))),
        (None, Some(person)) => Ok(Author::Person(UserId::from_uuid(person))),
        (None, None) => Ok(Author::Service),
        (Some(_), Some(_)) => Err(broken("subscriptions.created_by")),
    }
}

fn headers(row: &Model, sealer: &Sealer) -> Result<CustomHeaders, StoreError> {
    let Some(kept) = &row.headers else { return Ok(CustomHeaders::default()) };
    let text = sealer.open(&headers_cell(row.account_id, &row.id), kept)?;
    let text = Zeroizing::new(String::from_utf8(text).map_err(|_| broken("subscriptions.headers"))?);
    let pairs: Vec<(String, String)> = from_json("subscriptions.headers", &text)?;
    Ok(CustomHeaders::from_stored(pairs))
}

fn headers_cell(company: Uuid, id: &Uuid) -> SealedCell<'_> {
    SealedCell { column: "headers", ..cell(company, id) }
}

fn cell(company: Uuid, id: &Uuid) -> SealedCell<'_> {
    SealedCell { table: "subscriptions", column: "secret", company, row: id.as_bytes() }
}
