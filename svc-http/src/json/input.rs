//! The types of request bodies: what svc-core's declarations say of members that a client may not write.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::error::{FieldError, ValidationErrors};
use svc_core::id::AccountId;
use svc_core::wire::{Absence, Described, Member, MergePatch, Parts, Request, Verb, patch_schema};

use super::{member, whole};

/// The type of a request body: its members, unknown ones refused.
pub(crate) trait Input: Sized {
    /// Whether the body is an array, in the place of an object.
    const LIST: bool = false;

    /// Reads the tree of a body.
    fn take(tree: Value) -> Result<Self, ValidationErrors>;
}

impl<T: Request> Input for T {
    fn take(mut tree: Value) -> Result<Self, ValidationErrors> {
        let computed = T::READ_ONLY.iter().flat_map(|names| names.iter().copied());
        let found = withdraw(&mut tree, computed, T::FIXED);
        let needed = T::MEMBERS.iter().filter(|member| member.required);
        whole::read(&tree, needed.map(Member::wire_name), found)
    }
}

/// The body of an action that takes no input: nothing, or `{}`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

impl Input for Nothing {
    fn take(tree: Value) -> Result<Self, ValidationErrors> {
        whole::read(&tree, std::iter::empty(), Vec::new())
    }
}

/// The body that creates a resource: a merge patch of nothing.
#[derive(Debug)]
pub(crate) struct Create<T> {
    /// The company that it goes to, when the body names one.
    pub(crate) company: Option<AccountId>,
    pub(crate) input: T,
}

impl<T: MergePatch> Input for Create<T> {
    fn take(mut tree: Value) -> Result<Self, ValidationErrors> {
        let computed = Verb::Create.read_only::<T>();
        let mut found = withdraw(&mut tree, computed.iter().map(String::as_str), &[]);
        let home = tree.as_object_mut().and_then(|members| members.remove("companyId"));
        let company = home.map_or(Ok(None), |home| member(&home, "companyId"));
        let company = company.unwrap_or_else(|refused| {
            found.extend(refused.0);
            None
        });
        // What else is missing is a rule of the resource, which names it with what is wrong with the rest.
        let needed = Verb::Create.members::<T>().filter(|member| member.absence == Absence::NeededOnCreate);
        Ok(Self { company, input: patch(&tree, Verb::Create, needed.map(Member::wire_name), found)? })
    }
}

impl<T: MergePatch> Described for Create<T> {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>(&format!("{}Create", T::NAME), |parts| patch_schema::<T>(Verb::Create, parts))
    }
}

/// The body that changes a resource: a merge patch.
#[derive(Debug)]
pub(crate) struct Update<T>(pub(crate) T);

impl<T: MergePatch> Input for Update<T> {
    fn take(mut tree: Value) -> Result<Self, ValidationErrors> {
        let computed = Verb::Update.read_only::<T>();
        let found = withdraw(&mut tree, computed.iter().map(String::as_str), &[]);
        patch(&tree, Verb::Update, std::iter::empty(), found).map(Self)
    }
}

impl<T: MergePatch> Described for Update<T> {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>(&format!("{}Update", T::NAME), |parts| patch_schema::<T>(Verb::Update, parts))
    }
}

/// Reads a merge patch. One type serves creation and change, so what it says of an unknown member would
/// list those of the other as well.
fn patch<T: MergePatch + DeserializeOwned>(
    tree: &Value,
    verb: Verb,
    needed: impl Iterator<Item = String>,
    found: Vec<FieldError>,
) -> Result<T, ValidationErrors> {
    whole::read(tree, needed, found).map_err(|mut invalid: ValidationErrors| {
        for error in invalid.0.iter_mut().filter(|error| error.code == "unknown_field") {
            if !error.field.contains(['.', '[']) {
                let known: Vec<_> = verb.members::<T>().map(Member::wire_name).collect();
                error.message = super::unknown(&error.field, &known).into();
            }
        }
        invalid
    })
}

/// Takes the members out of the tree that this request may not have, and tells which those are.
fn withdraw<'a>(
    tree: &mut Value,
    computed: impl Iterator<Item = &'a str>,
    fixed: &[&'a str],
) -> Vec<FieldError> {
    let Some(members) = tree.as_object_mut() else { return Vec::new() };
    let computed = computed.map(|name| (name, "read_only_field", "is set by the service"));
    let fixed = fixed.iter().map(|name| (*name, "fixed_at_creation", "was chosen at creation and stays"));
    let present = computed.chain(fixed).filter(|(name, ..)| members.remove(*name).is_some());
    present
        .map(|(name, code, message)| FieldError { field: name.to_owned(), code, message: message.into() })
        .collect()
}
