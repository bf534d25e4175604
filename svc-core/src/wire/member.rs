//! Members of an object, and the schema that they make together.

use serde_json::{Map, Value};

use super::{Form, Parts};

/// A member of an object, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The name in Rust.
    pub name: &'static str,
    /// The name on the wire, where it is not the same in `camelCase`.
    pub wire: Option<&'static str>,
    /// The lines of its documentation.
    pub about: &'static [&'static str],
    /// When it may be absent.
    pub absence: Absence,
    /// Whether its type asks for it.
    pub required: bool,
    /// The schema of its type.
    pub schema: fn(&mut Parts) -> Value,
    /// What its value must look like beyond that.
    pub form: Form,
}

/// When a member may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// As its type says.
    Typed,
    /// It may, in any request or answer.
    Optional,
    /// It must be there when the resource is created.
    NeededOnCreate,
    /// Only a change of the resource has it.
    OnUpdate,
    /// Its members are those of the object itself.
    Flat,
}

/// An object as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// The lines of its documentation.
    pub about: &'a [&'static str],
    /// Whether it may have no other members.
    pub closed: bool,
}

/// `postal_code` as it is on the wire: `postalCode`.
#[must_use]
pub fn wire_name(name: &str) -> String {
    let mut words = name.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let head = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &head.into_iter().chain(letters).collect::<String>()
    })
}

impl Object<'_> {
    /// Its JSON Schema with these members; `needed` says which must be there.
    #[must_use]
    pub fn schema<'a>(
        self,
        members: impl IntoIterator<Item = &'a Member>,
        needed: impl Fn(&Member) -> bool,
        parts: &mut Parts,
    ) -> Value {
        let (mut properties, mut required, mut flat) = (Map::new(), Vec::new(), Vec::new());
        for member in members {
            if member.absence == Absence::Flat {
                flat.push((member.schema)(parts));
                continue;
            }
            let name = member.wire_name();
            if needed(member) {
                required.push(name.clone());
            }
            properties.insert(name, member.described(parts));
        }
        let known = [
            ("type", Some("object".into())),
            ("description", Some(prose(self.about).into())),
            ("properties", Some(properties.into())),
            ("required", (!required.is_empty()).then(|| required.into())),
            ("additionalProperties", self.closed.then(|| false.into())),
            ("allOf", (!flat.is_empty()).then(|| flat.into())),
        ];
        let known = known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(known.collect())
    }
}

impl Member {
    /// The name on the wire.
    #[must_use]
    pub fn wire_name(&self) -> String {
        self.wire.map_or_else(|| wire_name(self.name), str::to_owned)
    }

    fn described(&self, parts: &mut Parts) -> Value {
        let schema = (self.schema)(parts);
        let mut schema = self.form.apply(schema, parts);
        if let (false, Some(members)) = (self.about.is_empty(), schema.as_object_mut()) {
            members.insert("description".to_owned(), prose(self.about).into());
        }
        schema
    }
}

/// Lines of documentation as one text.
fn prose(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A member of a declaration; for the macros of [`crate::wire`].
#[doc(hidden)]
#[macro_export]
macro_rules! __wire_member {
    ([$($about:literal)*] [$($absence:tt)*] {$($default:tt)*} $member:ident [$($wire:literal)?] [$type:ty] [$($form:expr)?]) => {
        $crate::wire::Member {
            name: stringify!($member),
            wire: $crate::__wire_member!(@wire $($wire)?),
            about: &[$($about),*],
            absence: $crate::__wire_member!(@absence $($absence)*),
            required: !($($default)*) && <$type as $crate::wire::Described>::REQUIRED,
            schema: $crate::__wire_member!(@schema [$type] $($absence)*),
            form: $crate::__wire_member!(@form $($form)?),
        }
    };
    (@wire) => { None };
    (@wire $wire:literal) => { Some($wire) };
    (@absence) => { $crate::wire::Absence::Typed };
    (@absence needed) => { $crate::wire::Absence::NeededOnCreate };
    (@absence always) => { $crate::wire::Absence::NeededOnCreate };
    (@absence update) => { $crate::wire::Absence::OnUpdate };
    (@absence kept) => { $crate::wire::Absence::Typed };
    (@absence optional) => { $crate::wire::Absence::Optional };
    (@absence flat) => { $crate::wire::Absence::Flat };
    (@schema [$type:ty]) => { <$type as $crate::wire::Described>::schema };
    (@schema [$type:ty] needed) => { <$type as $crate::wire::Described>::schema };
    // Never null: what is always there, what keeps its value, what is absent in the place of null.
    (@schema [$type:ty] $absence:ident) => { <$type as $crate::wire::Described>::present };
    (@form) => { $crate::wire::Form::ANY };
    (@form $form:expr) => { $form };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_serde_writes_them() {
        for (rust, wire) in [
            ("postal_code", "postalCode"),
            ("line1", "line1"),
            ("r#type", "type"),
            ("last_used_ip", "lastUsedIp"),
        ] {
            assert_eq!(wire_name(rust), wire);
        }
    }
}
