//! Tokens that tell one holder of a claim from the next.

use svc_core::error::StoreError;

/// A random number that is not negative: two holders never have the same by chance.
pub(crate) fn generate() -> Result<i64, StoreError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(StoreError::backend)?;
    Ok(i64::from_be_bytes(bytes) & i64::MAX)
}
