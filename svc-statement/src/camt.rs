//! camt.053 of ISO 20022: the statement that a bank sends to its customer.

mod names;
mod walk;
