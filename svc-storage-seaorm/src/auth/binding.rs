//! What ties the row of a credential to what it gives.
//!
//! A fingerprint says that a value belongs to a row, and nothing of the row. Without more, a writer of the
//! database who has a session or a token of their own would put another person or company into its row. So
//! each row has a code of everything that decides whom the credential stands for and what it may do, under a
//! key that is not in the database. A row whose code does not fit is taken for absent.
//!
//! The key is of the same master key as the pepper of the fingerprint, so both need it equally long.

use svc_auth::approval::Approval;
use svc_auth::oauth::{Grant, Pair, Stage};
use svc_auth::session::{PasswordReset, Session};
use svc_auth::token::{Fingerprint, Lifecycle, Token};
use svc_auth::upload::UploadLink;
use svc_core::clock::Timestamp;

use crate::seal::{Sealer, apart};
use crate::value::json;

/// The code for the row of a session.
pub(super) fn of_session(sealer: &Sealer, session: &Session) -> Vec<u8> {
    sealer.bind(session.fingerprint.pepper, &session_bytes(session))
}

/// Whether the row of a session is as it was written.
pub(super) fn fits_session(sealer: &Sealer, session: &Session, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&session_bytes(session), code);
    if !fits {
        tracing::warn!(session = %session.id, "a session was changed in the database: it does not work");
    }
    fits
}

/// The code for the row of a link that resets a password.
pub(super) fn of_reset(sealer: &Sealer, reset: &PasswordReset) -> Vec<u8> {
    sealer.bind(reset.fingerprint.pepper, &reset_bytes(reset))
}

/// Whether the row of a link that resets a password is as it was written: with another person in it, it would give that
/// person's password away.
pub(super) fn fits_reset(sealer: &Sealer, reset: &PasswordReset, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&reset_bytes(reset), code);
    if !fits {
        tracing::warn!(user = %reset.user, "the link of a new password was changed in the database: it does not work");
    }
    fits
}

/// The code for the row of a token.
pub(super) fn of_token(sealer: &Sealer, token: &Token) -> Vec<u8> {
    sealer.bind(token.fingerprint.pepper, &token_bytes(token))
}

/// Whether the row of a token is as it was written; its uses are not looked at.
pub(super) fn fits_token(sealer: &Sealer, token: &Token, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&token_bytes(token), code);
    if !fits {
        tracing::warn!(token = %token.id, "a token was changed in the database: it does not work");
    }
    fits
}

/// The code for the row of a grant of OAuth.
pub(super) fn of_grant(sealer: &Sealer, grant: &Grant) -> Vec<u8> {
    sealer.bind(grant.code.pepper, &grant_bytes(grant))
}

/// Whether the row of a grant is as it was written.
pub(super) fn fits_grant(sealer: &Sealer, grant: &Grant, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&grant_bytes(grant), code);
    if !fits {
        tracing::warn!(grant = %grant.id, "a grant was changed in the database: it does not work");
    }
    fits
}

/// The code for the row of a pair of tokens.
pub(super) fn of_pair(sealer: &Sealer, pair: &Pair) -> Vec<u8> {
    sealer.bind(pair.refresh.pepper, &pair_bytes(pair))
}

/// Whether the row of a pair is as it was written.
pub(super) fn fits_pair(sealer: &Sealer, pair: &Pair, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&pair_bytes(pair), code);
    if !fits {
        tracing::warn!(grant = %pair.grant, "tokens of a grant were changed in the database: they do not work");
    }
    fits
}

/// The code for the row of an approval, with the key in use.
pub(super) fn of_approval(sealer: &Sealer, approval: &Approval) -> Vec<u8> {
    sealer.bind_now(&approval_bytes(approval))
}

/// Whether the row of an approval is as it was written.
pub(super) fn fits_approval(sealer: &Sealer, approval: &Approval, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&approval_bytes(approval), code);
    if !fits {
        tracing::warn!(approval = %approval.id, "an approval was changed in the database: it does not count");
    }
    fits
}

/// The code for the row of a link for an upload.
pub(super) fn of_upload(sealer: &Sealer, link: &UploadLink) -> Vec<u8> {
    sealer.bind(link.fingerprint.pepper, &upload_bytes(link))
}

/// Whether the row of a link for an upload is as it was written.
pub(super) fn fits_upload(sealer: &Sealer, link: &UploadLink, code: &[u8]) -> bool {
    let fits = sealer.is_bound(&upload_bytes(link), code);
    if !fits {
        tracing::warn!(credential = %link.credential, "a link for an upload was changed in the database: it does not work");
    }
    fits
}

fn upload_bytes(link: &UploadLink) -> Vec<u8> {
    let UploadLink { fingerprint, credential, properties, until } = link;
    bytes("upload", fingerprint, &[credential.to_string(), properties.clone(), instant(Some(*until))])
}

fn approval_bytes(approval: &Approval) -> Vec<u8> {
    let Approval { id, company, person, credential, tool, call, shown, stage, asked_at, until } = approval;
    let mut parts = vec![
        id.to_string(),
        company.to_string(),
        person.to_string(),
        credential.to_string(),
        tool.clone(),
        call.to_string(),
        stage.to_string(),
        instant(Some(*asked_at)),
        instant(Some(*until)),
    ];
    parts.extend(shown.iter().flat_map(|line| [line.name.clone(), line.value.clone()]));
    apart(["approval".as_bytes()].into_iter().chain(parts.iter().map(String::as_bytes)))
}

fn grant_bytes(grant: &Grant) -> Vec<u8> {
    let Grant { id, credential, client, redirect, challenge, code, code_until, stage } = grant;
    let (stage, ended_at) = match *stage {
        Stage::Coded => ("coded", None),
        Stage::Exchanged => ("exchanged", None),
        Stage::Ended { at } => ("ended", Some(at)),
    };
    let parts = [
        id.to_string(),
        credential.to_string(),
        client.to_string(),
        redirect.to_string(),
        json(&challenge.digest()),
        instant(Some(*code_until)),
        stage.to_owned(),
        instant(ended_at),
    ];
    bytes("grant", code, &parts)
}

fn pair_bytes(pair: &Pair) -> Vec<u8> {
    let Pair { grant, access, access_until, refresh, refresh_until, refreshed_at } = pair;
    let parts = [
        grant.to_string(),
        access.pepper.to_string(),
        json(&access.digest),
        instant(Some(*access_until)),
        instant(Some(*refresh_until)),
        instant(*refreshed_at),
    ];
    bytes("pair", refresh, &parts)
}

fn session_bytes(session: &Session) -> Vec<u8> {
    // All members but the last use, which changes without anything being given by it.
    let Session { id, user, fingerprint, created_at, last_used_at: _, expires_at, from, device, awaits_code } =
        session;
    let parts = [
        id.to_string(),
        user.to_string(),
        instant(Some(*created_at)),
        instant(Some(*expires_at)),
        optional(from.as_ref()),
        optional(device.as_ref()),
        awaits_code.to_string(),
    ];
    bytes("session", fingerprint, &parts)
}

fn reset_bytes(reset: &PasswordReset) -> Vec<u8> {
    let PasswordReset { user, fingerprint, expires_at } = reset;
    bytes("password reset", fingerprint, &[user.to_string(), instant(Some(*expires_at))])
}

fn token_bytes(token: &Token) -> Vec<u8> {
    let Token { id, name: _, prefix: _, fingerprint, grants, allowed_ips, .. } = token;
    let (state, revoked_at) = match token.lifecycle {
        Lifecycle::Active => ("active", None),
        Lifecycle::Disabled => ("disabled", None),
        Lifecycle::Revoked { at } => ("revoked", Some(at)),
    };
    let parts = [
        id.to_string(),
        optional(token.connection.as_ref().map(|connection| &connection.client)),
        optional(token.connection.as_ref().map(|connection| &connection.role)),
        optional(token.created_by.as_ref()),
        token.primary.to_string(),
        json(&token.companies),
        json(&token.groups),
        json(&grants.written()),
        json(&allowed_ips.written()),
        token.personal_data.to_string(),
        state.to_owned(),
        instant(revoked_at),
        instant(token.expires_at),
        instant(Some(token.created_at)),
    ];
    bytes("token", fingerprint, &parts)
}

fn optional(value: Option<&impl ToString>) -> String {
    value.map_or_else(String::new, |value| format!("={}", value.to_string()))
}

fn instant(at: Option<Timestamp>) -> String {
    optional(at.map(Timestamp::unix_micros).as_ref())
}

/// What a row says whose secret has this fingerprint.
fn bytes(kind: &str, fingerprint: &Fingerprint, parts: &[String]) -> Vec<u8> {
    let pepper = fingerprint.pepper.to_be_bytes();
    let head = [kind.as_bytes(), &pepper, &fingerprint.digest];
    apart(head.into_iter().chain(parts.iter().map(String::as_bytes)))
}
