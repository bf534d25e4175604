//! Suppliers whose contacts turn out to be one.

use super::{Supplier, SupplierStatus};

impl Supplier {
    /// The supplier with what it lacks from another one, whose contact was merged into its own: in use when either is.
    /// How it supplies stays as it is.
    #[must_use]
    pub fn united(self, other: Self) -> Self {
        let status = match (self.status, other.status) {
            (SupplierStatus::Archived, SupplierStatus::Archived) => SupplierStatus::Archived,
            (SupplierStatus::Active, _) | (_, SupplierStatus::Active) => SupplierStatus::Active,
        };
        let mut extension = self.extension;
        if extension.external_id.is_none() {
            extension.external_id = other.extension.external_id;
        }
        Self {
            code: self.code.or(other.code),
            payment_term_days: self.payment_term_days.or(other.payment_term_days),
            payment_method: self.payment_method.or(other.payment_method),
            expense_account: self.expense_account.or(other.expense_account),
            tax_code: self.tax_code.or(other.tax_code),
            status,
            extension,
            ..self
        }
    }
}
