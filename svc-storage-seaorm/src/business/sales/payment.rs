//! Payments of money, each as a row of its own beside the document: they are found by the payment, and by what moved.

use svc_business::sales::document::SalesDocument;

use crate::business::invoicing::due::{Area, PAYMENT_COLUMNS, payment};
use crate::business::record::Child;

/// Documents that are to be paid, and their payments.
pub(super) const AREA: Area = Area {
    documents: "svc_sales_documents",
    name: "customer_name",
    to_be_paid: "status = 1 AND due <> 0 AND doc_type IN ('invoice', 'simplified_invoice', 'rectifying')",
    payments: "svc_sales_payments",
};

/// The payments of a document.
pub(super) const CHILD: Child<SalesDocument> = Child {
    table: AREA.payments,
    owner: "document_id",
    of_company: true,
    columns: PAYMENT_COLUMNS,
    references: &[],
    rows: |document| {
        let payments = document.issue_data().map_or(&[][..], |issue| issue.settlement.payments());
        payments.iter().filter_map(payment).collect()
    },
    add: None,
};
