//! Failures of a store.

use svc_core::error::{StoreError, chain};

use super::{Code, Problem};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict => {
                Self::new(Code::Conflict, "the same data was changed meanwhile: read it and try again")
            }
            StoreError::Taken { field: "externalId" } => external_id_taken(),
            StoreError::Taken { field: "taxId" } => Self::duplicate_tax_id(),
            StoreError::Taken { field: "code" } => Self::new(
                Code::AccountCodeTaken,
                "an account of the ledger has this code",
            )
            .at("code", "taken", "exists already"),
            StoreError::Taken { field: "assetCode" } => Self::new(
                Code::AlreadyExists,
                "a fixed asset of the company has this code",
            )
            .at("code", "taken", "exists already"),
            StoreError::Taken { field: "name" } => Self::new(
                Code::AlreadyExists,
                "the parent has a folder with this name",
            )
            .at("name", "taken", "exists already"),
            StoreError::Taken { field: "supplierCode" } => Self::new(
                Code::SupplierCodeTaken,
                "a supplier of the company has this code",
            )
            .at("code", "taken", "exists already"),
            StoreError::Taken { field: "supplierNumber" } => Self::new(
                Code::DuplicateDocument,
                "the supplier has a document with this number and year already",
            )
            .at("number", "taken", "exists already"),
            StoreError::Taken { field: "seriesCode" } => Self::new(
                Code::SeriesCodeTaken,
                "a series of the company has this code",
            )
            .at("code", "taken", "exists already"),
            StoreError::Taken { field: "number" } => Self::new(
                Code::NumberTaken,
                "another series has given the same number",
            )
            .at("seriesId", "taken", "its next number exists already"),
            StoreError::Taken { field } => Self::new(
                Code::AlreadyExists,
                format!("a record with this {field} exists already"),
            )
            .at(field, "taken", "exists already"),
            StoreError::Busy => Self::busy(),
            StoreError::Undone => Self::busy().undone(),
            StoreError::OutOfRange => Self::new(
                Code::SumOutOfRange,
                "the amounts add up to more than 90,000,000,000,000,000.00, which is more than can be counted",
            ),
            StoreError::Backend(source) => {
                tracing::error!(error = %chain(source.as_ref()), "a store failed");
                Self::internal()
            }
        }
    }
}

impl Problem {
    fn busy() -> Self {
        Self::new(Code::Busy, "the service is busy: try again").retry_after(1)
    }

    /// An active contact of the same company has this tax id.
    pub(super) fn duplicate_tax_id() -> Self {
        let detail = "an active contact with this tax id exists; `allowDuplicate` permits it";
        Self::new(Code::DuplicateTaxId, detail).at(
            "taxId",
            "duplicate_tax_id",
            "an active contact has this tax id",
        )
    }
}

/// A record of the same company has this `externalId`.
fn external_id_taken() -> Problem {
    Problem::new(Code::ExternalIdTaken, "a record of the company with this externalId exists already").at(
        "externalId",
        "taken",
        "exists already",
    )
}

#[cfg(test)]
mod tests {
    use svc_core::rerun::MayBeUndone as _;

    use super::*;

    #[test]
    fn only_what_was_undone_as_a_whole_runs_again() {
        assert!(Problem::from(StoreError::Undone).is_undone());
        assert!(!Problem::from(StoreError::Undone).partly_done().is_undone());
        assert!(!Problem::from(StoreError::Busy).is_undone());
        assert!(!Problem::from(StoreError::Conflict).is_undone());
    }
}
