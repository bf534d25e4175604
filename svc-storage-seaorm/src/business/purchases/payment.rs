//! Payments of money, each as a row of its own beside the document: for who knows the payment alone.

use svc_business::purchases::document::{Means, SupplierDocument};
use svc_core::id::TypedId as _;

use crate::business::record::Child;

/// The payments of a document.
pub(super) const CHILD: Child<SupplierDocument> = Child {
    table: "svc_supplier_payments",
    owner: "document_id",
    of_company: true,
    columns: &["payment_id"],
    references: &[],
    rows: |document| {
        let payments = document.approval_data().map_or(&[][..], |approval| approval.settlement.payments());
        let money = payments.iter().filter(|payment| matches!(payment.means, Means::Money { .. }));
        money.map(|payment| vec![payment.id.uuid().into()]).collect()
    },
    add: None,
};
