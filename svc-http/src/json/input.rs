//! The types of request bodies: what svc-core's declarations say of members that a client may not write.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::AccountId;
use svc_core::wire::{Described, Member, MergePatch, Parts, Request, Verb, patch_schema};

use super::member;

/// The type of a request body: its members, unknown ones refused.
pub(crate) trait Input: Sized {
    /// Whether the body is an array, in the place of an object.
    const LIST: bool = false;

    /// Reads the tree of a body.
    fn take(tree: Value) -> Result<Self, ValidationErrors>;
}

impl<T: Request> Input for T {
    fn take(tree: Value) -> Result<Self, ValidationErrors> {
        let computed = T::READ_ONLY.iter().flat_map(|names| names.iter().copied());
        check(&tree, computed, T::FIXED)?;
        member(tree, "")
    }
}

/// The body of an action that takes no input: nothing, or `{}`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

impl Input for Nothing {
    fn take(tree: Value) -> Result<Self, ValidationErrors> {
        member(tree, "")
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
        check(&tree, Verb::Create.read_only::<T>().iter().map(String::as_str), &[])?;
        let home = tree.as_object_mut().and_then(|members| members.remove("companyId"));
        let company = home.map(|home| member(home, "companyId")).transpose()?.flatten();
        Ok(Self { company, input: patch(tree, Verb::Create)? })
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
    fn take(tree: Value) -> Result<Self, ValidationErrors> {
        check(&tree, Verb::Update.read_only::<T>().iter().map(String::as_str), &[])?;
        patch(tree, Verb::Update).map(Self)
    }
}

impl<T: MergePatch> Described for Update<T> {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>(&format!("{}Update", T::NAME), |parts| patch_schema::<T>(Verb::Update, parts))
    }
}

/// Reads a merge patch. One type serves creation and change, so what it says of an unknown member would
/// list those of the other as well.
fn patch<T: MergePatch + DeserializeOwned>(tree: Value, verb: Verb) -> Result<T, ValidationErrors> {
    member(tree, "").map_err(|mut invalid: ValidationErrors| {
        for error in invalid.0.iter_mut().filter(|error| error.code == "unknown_field") {
            if !error.field.contains(['.', '[']) {
                let known: Vec<_> = verb.members::<T>().map(Member::wire_name).collect();
                error.message = super::unknown(&error.field, &known).into();
            }
        }
        invalid
    })
}

/// Refuses members that this request may not have, all of them at once.
fn check<'a>(
    tree: &Value,
    computed: impl Iterator<Item = &'a str>,
    fixed: &[&str],
) -> Result<(), ValidationErrors> {
    let mut validator = Validator::new();
    for name in computed {
        validator.require(tree.get(name).is_none(), name, "read_only_field", "is set by the service");
    }
    for name in fixed {
        validator.require(
            tree.get(name).is_none(),
            name,
            "fixed_at_creation",
            "was chosen at creation and stays",
        );
    }
    validator.finish()
}
