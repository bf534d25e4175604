//! What a client writes of sales documents.

mod document;
mod line;
mod requests;
mod series;

pub use self::document::{RectifiesInput, SalesDocumentInput};
pub use self::line::SalesLineInput;
pub use self::requests::{
    ConvertRequest, IssueRequest, PaymentRequest, RectifyRequest, SendRequest, VoidRequest,
};
pub use self::series::SeriesInput;
pub use crate::invoicing::input::{DiscountInput, PayMethod};
