//! What a client writes of supplier documents.

mod document;
mod line;
mod requests;

pub use self::document::{SupplierDocumentInput, TaxAdjustmentInput};
pub use self::line::SupplierLineInput;
pub use self::requests::{ApproveRequest, PaymentRequest, RejectRequest, VoidRequest};
pub use crate::invoicing::input::{DiscountInput, PayMethod};
