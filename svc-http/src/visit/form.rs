//! The form that a browser sends (HTML, section 4.10.21; `application/x-www-form-urlencoded`).

use std::collections::BTreeMap;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use thiserror::Error;

/// Fields of one form. A page of permissions has a few hundred.
const MOST: usize = 2_000;

/// Whether a request says that its body is a form.
pub(crate) fn is_declared(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// The values of a form's fields, each name with its values in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form(BTreeMap<String, Vec<String>>);

/// More fields than any page has.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a form has at most {MOST} fields")]
pub struct TooManyFields;

impl Form {
    /// Reads a body, or a query.
    ///
    /// # Errors
    /// [`TooManyFields`].
    pub fn read(bytes: &[u8]) -> Result<Self, TooManyFields> {
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (at, (name, value)) in form_urlencoded::parse(bytes).enumerate() {
            if at >= MOST {
                return Err(TooManyFields);
            }
            fields.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Ok(Self(fields))
    }

    /// The first value of a field, without space around it; empty when the form has no such field.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// The first value of a field as it was typed: for passwords.
    #[must_use]
    pub fn raw(&self, name: &str) -> &str {
        self.all(name).first().map_or("", String::as_str)
    }

    /// Every value of a field, in their order.
    #[must_use]
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Every field with its values, by name.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// Whether the box of this name is ticked, or the button was pressed.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Each line of a field of several lines that is not empty.
    pub fn lines(&self, name: &str) -> impl Iterator<Item = &str> {
        self.raw(name).lines().map(str::trim).filter(|line| !line.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_browsers_write_them() {
        let form = Form::read(
            b"name=+Shop+sync+&permissions=sales%3A*.read&permissions=read&lines=a%0D%0A%0D%0A+b&on",
        )
        .expect("a form");
        assert_eq!((form.text("name"), form.raw("name")), ("Shop sync", " Shop sync "));
        assert_eq!(form.all("permissions"), ["sales:*.read", "read"]);
        assert_eq!(form.lines("lines").collect::<Vec<_>>(), ["a", "b"]);
        assert!(form.has("on") && !form.has("off") && form.text("off").is_empty());
    }

    #[test]
    fn a_form_has_so_many_fields_and_no_more() {
        let body = |fields| vec!["a=1"; fields].join("&");
        assert_eq!(Form::read(body(MOST).as_bytes()).map(|form| form.all("a").len()), Ok(MOST));
        assert_eq!(Form::read(body(MOST + 1).as_bytes()), Err(TooManyFields));
    }
}
