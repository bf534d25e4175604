//! Objects as values, and their text (ISO 32000-2, 7.3).

use std::io::Write as _;

/// A number and a generation.
pub(crate) type Id = (u32, u16);

/// An object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Object {
    Null,
    Boolean(bool),
    Integer(i64),
    /// As it is written, so that it is written alike.
    Real(Vec<u8>),
    Name(Vec<u8>),
    Text(Vec<u8>),
    Array(Vec<Self>),
    Dictionary(Dictionary),
    Reference(Id),
}

/// Entries in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Dictionary(pub(super) Vec<(Vec<u8>, Object)>);

impl Object {
    pub(crate) fn name(name: &str) -> Self {
        Self::Name(name.as_bytes().to_vec())
    }

    /// A text string: ASCII as it is, anything else in UTF-16 (7.9.2.2).
    pub(crate) fn text(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Text(text.as_bytes().to_vec());
        }
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        Self::Text([0xfe, 0xff].into_iter().chain(units).collect())
    }

    pub(crate) fn integer(value: usize) -> Self {
        Self::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }

    pub(crate) fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(value) = self { Some(*value) } else { None }
    }

    pub(crate) fn as_size(&self) -> Option<usize> {
        usize::try_from(self.as_integer()?).ok()
    }

    pub(crate) fn as_name(&self) -> Option<&[u8]> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }

    pub(crate) fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    pub(crate) fn as_dictionary(&self) -> Option<&Dictionary> {
        if let Self::Dictionary(entries) = self { Some(entries) } else { None }
    }

    pub(crate) fn into_dictionary(self) -> Option<Dictionary> {
        if let Self::Dictionary(entries) = self { Some(entries) } else { None }
    }

    pub(crate) fn as_reference(&self) -> Option<Id> {
        if let Self::Reference(id) = self { Some(*id) } else { None }
    }

    /// Moves all references up, to where an update has room.
    pub(crate) fn shift(&mut self, by: u32) {
        match self {
            Self::Reference((number, _)) => *number = number.saturating_add(by),
            Self::Array(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Self::Dictionary(entries) => entries.0.iter_mut().for_each(|(_, value)| value.shift(by)),
            Self::Null
            | Self::Boolean(_)
            | Self::Integer(_)
            | Self::Real(_)
            | Self::Name(_)
            | Self::Text(_) => {}
        }
    }

    /// Hands it and all that is within it to `change`, from the outside in: what `change` makes of a value is gone into.
    pub(crate) fn rewrite(&mut self, change: &mut impl FnMut(&mut Self)) {
        change(self);
        match self {
            Self::Array(items) => items.iter_mut().for_each(|item| item.rewrite(change)),
            Self::Dictionary(entries) => entries.0.iter_mut().for_each(|(_, value)| value.rewrite(change)),
            Self::Null
            | Self::Boolean(_)
            | Self::Integer(_)
            | Self::Real(_)
            | Self::Name(_)
            | Self::Text(_)
            | Self::Reference(_) => {}
        }
    }

    /// A number, whole or not.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => i32::try_from(*value).ok().map(f64::from),
            Self::Real(text) => {
                std::str::from_utf8(text).ok()?.parse().ok().filter(|value: &f64| value.is_finite())
            }
            Self::Null
            | Self::Boolean(_)
            | Self::Name(_)
            | Self::Text(_)
            | Self::Array(_)
            | Self::Dictionary(_)
            | Self::Reference(_) => None,
        }
    }

    /// Writes it as text.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend(b"null"),
            Self::Boolean(true) => out.extend(b"true"),
            Self::Boolean(false) => out.extend(b"false"),
            Self::Integer(value) => out.extend(value.to_string().bytes()),
            Self::Real(text) => out.extend(text),
            Self::Name(name) => write_name(name, out),
            Self::Text(text) => {
                out.push(b'<');
                for byte in text {
                    let _ = write!(out, "{byte:02x}");
                }
                out.push(b'>');
            }
            Self::Array(items) => {
                out.push(b'[');
                for item in items {
                    out.push(b' ');
                    item.write(out);
                }
                out.extend(b" ]");
            }
            Self::Dictionary(entries) => entries.write(out),
            Self::Reference((number, generation)) => {
                let _ = write!(out, "{number} {generation} R");
            }
        }
    }
}

fn write_name(name: &[u8], out: &mut Vec<u8>) {
    out.push(b'/');
    for &byte in name {
        if byte.is_ascii_alphanumeric() || b"-_.+*:@!$".contains(&byte) {
            out.push(byte);
        } else {
            let _ = write!(out, "#{byte:02x}");
        }
    }
}

impl Dictionary {
    /// Entries whose names are known.
    pub(crate) fn of<const N: usize>(entries: [(&str, Object); N]) -> Self {
        Self(entries.into_iter().map(|(name, value)| (name.as_bytes().to_vec(), value)).collect())
    }

    /// The value of a name; of the last one where a file has it twice.
    pub(crate) fn find(&self, name: &str) -> Option<&Object> {
        let entry = self.0.iter().rev().find(|(key, _)| key == name.as_bytes());
        entry.map(|(_, value)| value).filter(|value| **value != Object::Null)
    }

    pub(crate) fn set(&mut self, name: &str, value: Object) {
        self.remove(name);
        self.0.push((name.as_bytes().to_vec(), value));
    }

    /// Takes the entries of another one over.
    pub(crate) fn extend(&mut self, other: Self) {
        for (name, value) in other.0 {
            self.0.retain(|(key, _)| *key != name);
            self.0.push((name, value));
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name.as_bytes());
    }

    /// Only the entries with these names.
    pub(crate) fn only(&self, names: &[&str]) -> Self {
        let known = |entry: &&(Vec<u8>, Object)| names.iter().any(|name| name.as_bytes() == entry.0);
        Self(self.0.iter().filter(known).cloned().collect())
    }

    pub(crate) fn is(&self, kind: &str) -> bool {
        self.find("Type").and_then(Object::as_name) == Some(kind.as_bytes())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(b"<<");
        for (name, value) in &self.0 {
            out.push(b' ');
            write_name(name, out);
            out.push(b' ');
            value.write(out);
        }
        out.extend(b" >>");
    }
}
