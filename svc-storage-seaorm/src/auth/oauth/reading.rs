//! Rows of grants and pairs, and the codes that bind them.

use sea_orm::{DbErr, QueryResult, Value};
use svc_auth::oauth::{CodeChallenge, Grant, Pair, RedirectUri, Stage};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{GrantId, TokenId, TypedId as _};

use crate::auth::binding::{of_grant, of_pair};
use crate::error::backend;
use crate::seal::Sealer;
use crate::value::{broken, parsed};

/// Those of a grant, its binding last.
pub(super) const GRANT: [&str; 11] = [
    "id",
    "token_id",
    "client_id",
    "redirect",
    "challenge",
    "pepper",
    "digest",
    "code_until",
    "stage",
    "ended_at",
    "binding",
];

/// Those of a pair, its binding last.
pub(super) const PAIR: [&str; 9] = [
    "refresh_digest",
    "refresh_pepper",
    "refresh_until",
    "refreshed_at",
    "access_digest",
    "access_pepper",
    "access_until",
    "grant_id",
    "binding",
];

/// The columns of a table, one behind the other.
pub(super) fn columns(table: &str, names: &[&str]) -> String {
    names.iter().map(|name| format!("{table}.{name}")).collect::<Vec<_>>().join(", ")
}

const CODED: i16 = 0;
const EXCHANGED: i16 = 1;
const ENDED: i16 = 2;

/// A stage as its two columns.
pub(super) const fn stage(stage: Stage) -> (i16, Option<i64>) {
    match stage {
        Stage::Coded => (CODED, None),
        Stage::Exchanged => (EXCHANGED, None),
        Stage::Ended { at } => (ENDED, Some(at.unix_micros())),
    }
}

pub(super) fn grant_row(sealer: &Sealer, grant: &Grant) -> [Value; 11] {
    let (stage, ended_at) = stage(grant.stage);
    [
        grant.id.uuid().into(),
        grant.credential.uuid().into(),
        grant.client.to_string().into(),
        grant.redirect.as_str().to_owned().into(),
        grant.challenge.digest().to_vec().into(),
        i64::from(grant.code.pepper).into(),
        grant.code.digest.to_vec().into(),
        grant.code_until.unix_micros().into(),
        stage.into(),
        ended_at.into(),
        of_grant(sealer, grant).into(),
    ]
}

pub(super) fn pair_row(sealer: &Sealer, pair: &Pair) -> [Value; 9] {
    [
        pair.refresh.digest.to_vec().into(),
        i64::from(pair.refresh.pepper).into(),
        pair.refresh_until.unix_micros().into(),
        pair.refreshed_at.map(Timestamp::unix_micros).into(),
        pair.access.digest.to_vec().into(),
        i64::from(pair.access.pepper).into(),
        pair.access_until.unix_micros().into(),
        pair.grant.uuid().into(),
        of_pair(sealer, pair).into(),
    ]
}

/// The grant of a row from this column on, with its binding.
pub(super) fn grant(row: &QueryResult, from: usize) -> Result<(Grant, Vec<u8>), StoreError> {
    let columns = || -> Result<_, DbErr> {
        Ok((
            (
                GrantId::from_uuid(row.try_get_by_index(from)?),
                TokenId::from_uuid(row.try_get_by_index(from + 1)?),
            ),
            (row.try_get_by_index::<String>(from + 2)?, row.try_get_by_index::<String>(from + 3)?),
            row.try_get_by_index::<Vec<u8>>(from + 4)?,
            (row.try_get_by_index::<i64>(from + 5)?, row.try_get_by_index::<Vec<u8>>(from + 6)?),
            row.try_get_by_index::<i64>(from + 7)?,
            (row.try_get_by_index::<i16>(from + 8)?, row.try_get_by_index::<Option<i64>>(from + 9)?),
            row.try_get_by_index::<Vec<u8>>(from + 10)?,
        ))
    };
    let ((id, credential), (client, redirect), challenge, code, until, stage, binding) =
        columns().map_err(backend)?;
    let grant = Grant {
        id,
        credential,
        client: parsed("oauth_grants.client_id", &client)?,
        redirect: RedirectUri::parse(&redirect).map_err(|_| broken("oauth_grants.redirect"))?,
        challenge: CodeChallenge::of(challenge.try_into().map_err(|_| broken("oauth_grants.challenge"))?),
        code: fingerprint(code).ok_or_else(|| broken("oauth_grants.digest"))?,
        code_until: Timestamp::from_unix_micros(until),
        stage: match stage {
            (CODED, None) => Stage::Coded,
            (EXCHANGED, None) => Stage::Exchanged,
            (ENDED, Some(at)) => Stage::Ended { at: Timestamp::from_unix_micros(at) },
            _ => return Err(broken("oauth_grants.stage")),
        },
    };
    Ok((grant, binding))
}

/// The pair of a row from its first column on, with its binding.
pub(super) fn pair(row: &QueryResult) -> Result<(Pair, Vec<u8>), StoreError> {
    let columns = || -> Result<_, DbErr> {
        Ok((
            (row.try_get_by_index::<i64>(1)?, row.try_get_by_index::<Vec<u8>>(0)?),
            (row.try_get_by_index::<i64>(5)?, row.try_get_by_index::<Vec<u8>>(4)?),
            (
                row.try_get_by_index::<i64>(2)?,
                row.try_get_by_index::<Option<i64>>(3)?,
                row.try_get_by_index::<i64>(6)?,
            ),
            GrantId::from_uuid(row.try_get_by_index(7)?),
            row.try_get_by_index::<Vec<u8>>(8)?,
        ))
    };
    let (refresh, access, (refresh_until, refreshed_at, access_until), grant, binding) =
        columns().map_err(backend)?;
    let pair = Pair {
        grant,
        access: fingerprint(access).ok_or_else(|| broken("oauth_pairs.access_digest"))?,
        access_until: Timestamp::from_unix_micros(access_until),
        refresh: fingerprint(refresh).ok_or_else(|| broken("oauth_pairs.refresh_digest"))?,
        refresh_until: Timestamp::from_unix_micros(refresh_until),
        refreshed_at: refreshed_at.map(Timestamp::from_unix_micros),
    };
    Ok((pair, binding))
}

fn fingerprint((pepper, digest): (i64, Vec<u8>)) -> Option<Fingerprint> {
    Some(Fingerprint { pepper: u32::try_from(pepper).ok()?, digest: digest.try_into().ok()? })
}
