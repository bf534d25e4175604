//! Passwords that operators set: read from standard input, so that they are in no list of processes.

use std::io::{IsTerminal as _, Read as _};

use secrecy::zeroize::Zeroizing;
use svc_auth::ports::{Salt, SessionUnit};
use svc_auth::session::{Argon2id, PasswordText, check_password, set_password};
use svc_core::id::UserId;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::store::backend;
use crate::system::OsRandom;

/// Bytes that are read at most: many more than a password may have.
const LONGEST: usize = 4 * 1024;

/// Reads a password: all of standard input, without the end of its last line.
pub(crate) fn read() -> Result<PasswordText, Failure> {
    let mut typed = Zeroizing::new(String::with_capacity(LONGEST));
    let mut input = std::io::stdin().lock();
    if input.is_terminal() {
        return Err(Failure::usage("password_missing", "--password-stdin takes the password from a pipe")
            .hint("pipe it in, so that it is neither shown nor kept: pass show svc | svc-server …"));
    }
    let limit = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    let read = (&mut input).take(limit).read_to_string(&mut typed);
    read.map_err(|_| Failure::usage("password_unreadable", "standard input is not text in UTF-8"))?;
    let line = typed.strip_suffix('\n').unwrap_or(&typed);
    Ok(PasswordText::new(line.strip_suffix('\r').unwrap_or(line)))
}

/// Validator, hashes and sets a person's password within a unit of work; ends their sessions.
pub(crate) async fn set(
    operator: &Operator,
    unit: &dyn SessionUnit,
    user: UserId,
    password: &PasswordText,
) -> Result<(), Failure> {
    let person = unit.people().person(user).await.map_err(|error| backend(&error))?;
    if let Some(person) = person {
        check_password("password", password, &person)?;
    }
    let hash = Argon2id::default()
        .hash(password, Salt::generate(&OsRandom))
        .map_err(|error| Failure::caused("password_not_hashed", "the password was not set", &error))?;
    Ok(set_password(unit, operator.call(), user, hash).await?)
}
