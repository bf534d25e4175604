//! Passwords that operators set: read from standard input, so that they are in no list of processes.

use std::fmt;
use std::io::{IsTerminal as _, Read as _};

use secrecy::zeroize::Zeroizing;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use svc_auth::ports::{HasherError, Salt, SessionUnit};
use svc_auth::session::{PasswordHash, PasswordText, check_password, set_password};
use svc_core::id::UserId;
use svc_core::system::OsRandom;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::store::backend;

/// Bytes that are read at most: many more than a password may have.
const LONGEST: usize = 4 * 1024;

/// A password as it was typed. Its wire form has it in the clear, and is for the admin socket alone.
pub(crate) struct Typed(Zeroizing<String>);

/// A password that is ready to be set.
pub(crate) struct Hashed {
    text: PasswordText,
    hash: PasswordHash,
}

/// Reads a password: all of standard input, without the end of its last line.
pub(crate) fn read() -> Result<Typed, Failure> {
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
    let length = line.strip_suffix('\r').unwrap_or(line).len();
    typed.truncate(length);
    Ok(Typed(typed))
}

/// Hashes a password, before a unit of work begins: the unit keeps other writers of SQLite waiting.
pub(crate) async fn hash(operator: &Operator, typed: Option<&Typed>) -> Result<Option<Hashed>, Failure> {
    let Some(Typed(typed)) = typed else { return Ok(None) };
    let text = PasswordText::new(typed);
    let hashed = operator.hasher.hash(text.clone(), Salt::generate(&OsRandom)).await;
    let hash = hashed.map_err(|error: HasherError| {
        Failure::caused("password_not_hashed", "the password was not set", &error)
    })?;
    Ok(Some(Hashed { text, hash }))
}

impl Hashed {
    /// Checks the password and sets it within a unit of work; ends the sessions of the person.
    pub(crate) async fn set(
        self,
        operator: &Operator,
        unit: &dyn SessionUnit,
        user: UserId,
    ) -> Result<(), Failure> {
        let person = unit.people().person(user).await.map_err(|error| backend(&error))?;
        if let Some(person) = person {
            check_password("password", &self.text, &person)?;
        }
        Ok(set_password(unit, operator.call(), user, self.hash).await?)
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed(***)")
    }
}

impl Serialize for Typed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Typed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Zeroizing::new(text)))
    }
}
