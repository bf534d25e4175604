//! What is wrong with a form, beside its fields.

use svc_core::error::FieldError;
use svc_http::Problem;

use crate::language::Language;
use crate::texts::errors;

/// What is wrong, field by field.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<(String, String)>);

impl Errors {
    /// Those of a refusal that names fields.
    ///
    /// # Errors
    /// A refusal that names none is for a page of its own.
    pub(crate) fn of(problem: Problem, language: Language) -> Result<Self, Problem> {
        if problem.errors().is_empty() {
            return Err(problem);
        }
        Ok(Self(problem.errors().iter().map(|error| told(error, language)).collect()))
    }

    /// Adds one.
    pub(crate) fn add(&mut self, field: &str, text: impl Into<String>) {
        self.0.push((field.to_owned(), text.into()));
    }

    /// Adds all of them.
    pub(crate) fn merge(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is wrong with a field or with parts of it, such as `allowedIps[2]`.
    pub(crate) fn at<'a>(&'a self, field: &'a str) -> impl Iterator<Item = &'a str> {
        let is_of = move |at: &str| {
            at.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        self.0.iter().filter(move |(at, _)| is_of(at)).map(|(_, text)| text.as_str())
    }

    /// Whether something is.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.at(field).next().is_some()
    }
}

fn told(error: &FieldError, language: Language) -> (String, String) {
    let text = match language {
        Language::English => sentence(&error.message),
        Language::Spanish => errors::spanish(&error.field, error.code).to_owned(),
    };
    (error.field.clone(), text)
}

/// The message of the API as a sentence of a page.
pub(crate) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if message.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
