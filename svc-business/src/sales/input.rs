//! What a client writes of sales documents.

mod document;
mod line;
mod requests;
mod series;

pub use self::document::{DiscountInput, RectifiesInput, SalesDocumentInput};
pub use self::line::SalesLineInput;
pub use self::requests::{
    ConvertRequest, IssueRequest, PayMethod, PaymentRequest, RectifyRequest, SendRequest, VoidRequest,
};
pub use self::series::SeriesInput;
use svc_core::wire::Form;

/// An amount in the currency of the document, with its digits.
pub(super) const AMOUNT: Form =
    Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 19).example("1210.00");
/// A quantity or a price.
pub(super) const DECIMAL: Form =
    Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,6})?$").length(1, 21).example("85.50");
/// A rate of exchange.
pub(super) const FX_RATE: Form =
    Form::pattern(r"^[0-9]{1,11}(\.[0-9]{1,8})?$").length(1, 20).example("1.0823");
/// The code of a tax.
pub(super) const TAX_CODE: Form = Form::pattern("^[a-z0-9_]{1,40}$").length(1, 40).example("es_vat_21");
