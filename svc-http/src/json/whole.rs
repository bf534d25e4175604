//! Reading a body into its type, with every member named that keeps it from being one.
//!
//! serde stops at the first member that does not fit. So when a body does not, each member is read once more as if it
//! stood there alone, those of an object that does not fit one by one, and the members that must be there are
//! counted. A body that fits is read once, and one that does not costs a few times as much, however it is made.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::error::{FieldError, ValidationErrors};

use super::{fits, tree};

/// What was found before, and what else is wrong with the tree; or its value when all is right. `needed` are the
/// names of the members that must be there.
pub(super) fn read<T: DeserializeOwned>(
    tree: &Value,
    needed: impl Iterator<Item = String>,
    mut found: Vec<FieldError>,
) -> Result<T, ValidationErrors> {
    let first = match fits::<T>(tree) {
        Ok(value) if found.is_empty() => return Ok(value),
        Ok(_) => None,
        Err(first) => Some(first),
    };
    let nothing = Map::new();
    let members = tree.as_object().unwrap_or(&nothing);
    if first.is_some() {
        examine::<T>(&[], members, &mut found);
    }
    let absent = needed.filter(|name| !members.contains_key(name));
    found.extend(absent.map(|field| FieldError {
        field,
        code: "required",
        message: "must be present".into(),
    }));
    if found.is_empty() {
        // What is wrong is in no member alone.
        found.extend(first);
    }
    found.truncate(tree::MOST_FINDINGS);
    Err(ValidationErrors(found))
}

/// An object within a body with more members than this is named by the first one that does not fit: what is read one
/// by one costs more than what is read at once.
const MOST_MEMBERS: usize = 100;

/// Finds the members at this place that do not fit.
fn examine<T: DeserializeOwned>(place: &[&str], members: &Map<String, Value>, found: &mut Vec<FieldError>) {
    for (name, value) in members {
        if found.len() >= tree::MOST_FINDINGS {
            return;
        }
        let place = [place, &[name]].concat();
        let Some(own) = refused::<T>(&place, value) else { continue };
        let before = found.len();
        if let Some(inner) = value.as_object().filter(|inner| inner.len() <= MOST_MEMBERS) {
            examine::<T>(&place, inner, found);
        }
        if found.len() == before {
            found.push(own);
        }
    }
}

/// What is wrong with a value when nothing stands beside it; that something else has to is not its fault.
fn refused<T: DeserializeOwned>(place: &[&str], value: &Value) -> Option<FieldError> {
    let alone = place
        .iter()
        .rev()
        .fold(value.clone(), |inner, name| Value::Object(Map::from_iter([((*name).to_owned(), inner)])));
    let error = fits::<T>(&alone).err()?;
    let within = format!("{}.", place.join("."));
    (error.code != "required" || error.field.starts_with(&within)).then_some(error)
}
