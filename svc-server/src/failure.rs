//! Why a command ends without having done its work.

use std::borrow::Cow;
use std::fmt;
use svc_core::error::chain;

use serde::{Deserialize, Serialize};

/// The code of a database that another process has.
pub(crate) const IN_USE: &str = "database_in_use";

/// One clear sentence, and what to do about it.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    kind: Kind,
    code: Cow<'static, str>,
    message: String,
    hint: Option<String>,
}

/// Whose mistake it was; decides the exit code.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    /// The command could not do its work: exit code 1.
    Failed,
    /// The command or its settings are wrong: exit code 2.
    Usage,
}

impl Failure {
    /// The work could not be done.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { kind: Kind::Failed, code: Cow::Borrowed(code), message: message.into(), hint: None }
    }

    /// The command line or the settings are wrong.
    pub(crate) fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, code: Cow::Borrowed(code), message: message.into(), hint: None }
    }

    /// Adds what to do about it.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Stable name of the condition, for programs.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// Whether another process has the database.
    pub(crate) fn is_in_use(&self) -> bool {
        self.code == IN_USE
    }

    /// What went wrong.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub(crate) fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The exit code of the process.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Failed => 1,
            Kind::Usage => 2,
        }
    }

    /// Wraps an error with everything that it was caused by.
    pub(crate) fn caused(code: &'static str, what: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        Self::new(code, format!("{what}: {}", chain(error)))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
