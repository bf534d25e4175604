//! Returns as files: CSV of every model, and the record layouts of the AEAT for 347 and 349.
//!
//! Lines of the AEAT have 500 positions in ISO-8859-1: capitals without accents, `Ñ` and `Ç` kept, texts to the left
//! and filled with blanks, figures to the right and filled with zeros, amounts in cents with `N` before negative ones.

mod csv;
mod m347;
mod m349;
mod record;

use thiserror::Error;

pub use self::csv::{Language, csv, csv_of_parties};
use crate::compute::Computed;
use crate::model::Model;

/// Who files a return, as its file names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarant {
    /// The tax identifier: nine characters.
    pub tax_id: String,
    /// The name, surnames first.
    pub name: String,
    /// The telephone of the contact: nine digits.
    pub phone: String,
    /// The name of the contact, surnames first.
    pub contact: String,
    /// The number of the declaration: thirteen digits that begin with the model, the last ten of which the declarant
    /// chooses.
    pub number: String,
}

/// Why a return has no file of the AEAT.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// The crate has no layout of the model; CSV is there.
    #[error("model {model} has no record layout here")]
    NoLayout {
        /// The model.
        model: Model,
    },
    /// A value does not fit into its positions.
    #[error("{field} does not fit into {size} positions")]
    DoesNotFit {
        /// Which.
        field: &'static str,
        /// How many positions it has.
        size: usize,
    },
    /// An amount is negative where the layout has no sign.
    #[error("{field} of {party} is negative, which the layout cannot say")]
    Negative {
        /// Which.
        field: &'static str,
        /// The id of the party, or `total`.
        party: String,
    },
    /// A row has no tax identifier.
    #[error("the party {party} has no tax identifier")]
    NoTaxId {
        /// The id of the party.
        party: String,
    },
}

/// The file of a return, lines ended by CR and LF.
///
/// # Errors
/// [`ExportError`].
pub fn file(computed: &Computed, declarant: &Declarant) -> Result<Vec<u8>, ExportError> {
    match computed.model {
        Model::M347 => m347::file(computed, declarant),
        Model::M349 => m349::file(computed, declarant),
        model @ (Model::M111
        | Model::M115
        | Model::M130
        | Model::M180
        | Model::M190
        | Model::M200
        | Model::M303
        | Model::M390) => Err(ExportError::NoLayout { model }),
    }
}
