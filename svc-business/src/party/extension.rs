//! `externalId` and `metadata`: what integrators attach to every resource.

use std::collections::BTreeMap;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::patch::Patch;

use crate::party::optional_line;

/// Pairs of `metadata` of one record.
pub(crate) const MOST_METADATA: usize = 50;

/// An integrator's own id and key-value pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    /// Unique per company and type of resource.
    pub external_id: Option<String>,
    /// At most 50 pairs: keys of 1 to 40, values of at most 500 characters.
    pub metadata: BTreeMap<String, String>,
}

/// A merge patch of an [`Extension`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtensionInput {
    /// 1 to 100 characters.
    pub external_id: Patch<String>,
    /// `null` for a key removes it.
    pub metadata: Patch<BTreeMap<String, Option<String>>>,
}

impl ExtensionInput {
    /// The extension after the patch.
    ///
    /// # Errors
    /// Every member that breaks a rule, by its wire name.
    pub fn over(self, current: &Extension) -> Result<Extension, ValidationErrors> {
        let mut validator = Validator::new();
        let mut extension = current.clone();
        optional_line(&mut validator, "externalId", self.external_id, &mut extension.external_id, 100);
        match self.metadata {
            Patch::Absent => {}
            Patch::Null => extension.metadata.clear(),
            Patch::Value(pairs) => {
                for (key, value) in pairs {
                    let field = format!("metadata.{key}");
                    match value {
                        None => {
                            extension.metadata.remove(&key);
                        }
                        Some(value) if pair_holds(&mut validator, &field, &key, &value) => {
                            extension.metadata.insert(key, value);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        let count = extension.metadata.len();
        validator.require(count <= MOST_METADATA, "metadata", "too_many", "must have at most 50 keys");
        validator.finish().map(|()| extension)
    }
}

fn pair_holds(validator: &mut Validator, field: &str, key: &str, value: &str) -> bool {
    let control =
        |text: &str| text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'));
    let length = key.chars().count();
    validator.require(length > 0, field, "required", "a key must not be empty")
        && validator.require(length <= 40, field, "too_long", "a key must have at most 40 characters")
        && validator.require(
            value.chars().count() <= 500,
            field,
            "too_long",
            "must have at most 500 characters",
        )
        && validator.require(
            !control(key) && !control(value),
            field,
            "invalid_characters",
            "must not contain control characters",
        )
}
