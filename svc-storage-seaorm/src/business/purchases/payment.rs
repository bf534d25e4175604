//! Payments of money, each as a row of its own beside the document: they are found by the payment, and by what moved.

use svc_business::purchases::document::SupplierDocument;

use crate::business::invoicing::due::{Area, PAYMENT_COLUMNS, payment};
use crate::business::record::Child;

/// Documents that are to be paid, and their payments.
pub(super) const AREA: Area = Area {
    documents: "svc_supplier_documents",
    name: "supplier_name",
    to_be_paid: "status = 1 AND due <> 0",
    payments: "svc_supplier_payments",
};

/// The payments of a document.
pub(super) const CHILD: Child<SupplierDocument> = Child {
    table: AREA.payments,
    owner: "document_id",
    of_company: true,
    columns: PAYMENT_COLUMNS,
    references: &[],
    rows: |document| {
        let payments = document.approval_data().map_or(&[][..], |approval| approval.settlement.payments());
        payments.iter().filter_map(payment).collect()
    },
    add: None,
};
