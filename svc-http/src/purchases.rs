//! `/suppliers` and `/supplier-documents`.

mod documents;
mod import;
mod import_view;
mod list;
mod outline_view;
mod parts_view;
mod payments;
mod supplier_view;
mod suppliers;
mod view;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::purchases::input::{
    ApproveRequest, PaymentRequest, RejectRequest, SupplierDocumentInput, VoidRequest,
};
use svc_business::purchases::supplier::SupplierInput;
use svc_core::permission::Permission;

use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const READ: ByToken = ByToken::With(permission("purchases:documents.read"));
const CREATE: ByToken = ByToken::With(permission("purchases:documents.create"));
const UPDATE: ByToken = ByToken::With(permission("purchases:documents.update"));
const APPROVE: ByToken = ByToken::With(permission("purchases:documents.approve"));
const PAY: ByToken = ByToken::With(permission("purchases:documents.pay"));
const SUPPLIERS_READ: ByToken = ByToken::With(permission("purchases:suppliers.read"));
const SUPPLIERS_CREATE: ByToken = ByToken::With(ADD_SUPPLIER);
const ADD_SUPPLIER: Permission = permission("purchases:suppliers.create");
const SUPPLIERS_UPDATE: ByToken = ByToken::With(permission("purchases:suppliers.update"));

const ONE: &str = "/supplier-documents/{id}";

pub(crate) fn routes() -> Vec<Route> {
    [suppliers(), documents(), imports(), actions()].into_iter().flatten().collect()
}

fn suppliers() -> Vec<Route> {
    vec![
        api::get("/suppliers", SUPPLIERS_READ, "List suppliers")
            .params(&suppliers::PARAMS)
            .answers::<Listed<supplier_view::View>>(StatusCode::OK)
            .personal()
            .to(suppliers::list),
        post("/suppliers", SUPPLIERS_CREATE, "Make a contact a supplier")
            .about(
                "Of a contact that `contactId` names, or that `contact` describes: an active one with that tax id is \
                 taken, else a new one is created in the same commit.",
            )
            .body::<Create<SupplierInput>>()
            .creates::<supplier_view::View>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(suppliers::create),
        api::get("/suppliers/{id}", SUPPLIERS_READ, "Get a supplier")
            .answers::<supplier_view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .unconditional()
            .to(suppliers::get),
        patch("/suppliers/{id}", SUPPLIERS_UPDATE, "Change a supplier, and its contact by `contact`")
            .about("A change of the contact emits `contact.update`; what is the supplier's own emits no event.")
            .body::<Update<SupplierInput>>()
            .answers::<supplier_view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(suppliers::update),
    ]
}

fn documents() -> Vec<Route> {
    vec![
        api::get("/supplier-documents", READ, "List supplier documents")
            .about("Newest first, without their lines.")
            .params(&list::PARAMS)
            .answers::<Listed<outline_view::Summary>>(StatusCode::OK)
            .to(list::list),
        post("/supplier-documents", CREATE, "Write down a document that came in")
            .about(
                "A second one with the supplier, number and year of another is 409 `duplicate_document`, unless \
                 `allowDuplicate` is true.",
            )
            .body::<Create<SupplierDocumentInput>>()
            .creates::<view::View>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(documents::create),
        api::get(ONE, READ, "Get a supplier document")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .unconditional()
            .to(documents::get),
        patch(ONE, UPDATE, "Change a supplier document")
            .about(
                "Until it is judged it changes as a whole. Of an approved one `dueDate`, `notes`, `tags` and \
                 `metadata` change; anything else is 409 `document_approved`.",
            )
            .body::<Update<SupplierDocumentInput>>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(documents::update),
    ]
}

fn imports() -> Vec<Route> {
    vec![
        post("/supplier-documents/import", CREATE, "Write down an electronic invoice")
            .about(
                "A file in UBL, CII or Facturae, or a PDF file with one of these inside (Factur-X, ZUGFeRD). The document                  is received, for people to judge; `warnings` says what it states otherwise than the file. Its supplier                  is the one with the tax id of the seller; a token with `purchases:suppliers.create` that sees personal                  data adds one where there is none. 409 `duplicate_document` as of documents that are written.",
            )
            .upload::<import::ImportForm>(import::MOST_BYTES)
            .creates::<import_view::ImportedView>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(import::import),
    ]
}

fn actions() -> Vec<Route> {
    vec![
        post("/supplier-documents/{id}/approve", APPROVE, "Approve a document")
            .about(
                "It gets the next number of the book of received documents, without gaps; what it says is fixed, and its \
                 entry is posted as the books are set. Lines with an asset class become drafts of fixed assets.",
            )
            .body::<ApproveRequest>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(documents::approve),
        post("/supplier-documents/{id}/reject", APPROVE, "Reject a document")
            .about("It does not count, and frees its number for another one.")
            .body::<RejectRequest>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(documents::reject),
        post("/supplier-documents/{id}/reopen", APPROVE, "Take a rejected document up again")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(documents::reopen),
        post("/supplier-documents/{id}/void", APPROVE, "Void an approved document")
            .about("Its register number stays used, and its entry is reversed. A document that is paid stays.")
            .body::<VoidRequest>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(documents::void),
        post("/supplier-documents/{id}/payments", PAY, "Record a payment")
            .about(
                "The amount has the sign of what is due and is not more. The method `offset` lets two documents of one \
                 supplier with opposite signs pay each other.",
            )
            .body::<PaymentRequest>()
            .answers::<parts_view::PaymentView>(StatusCode::CREATED)
            .versioned()
            .to(payments::pay),
        delete("/supplier-documents/{id}/payments/{paymentId}", PAY, "Take a payment back")
            .about("Its entry is reversed; an offset is taken back from both documents.")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(payments::remove),
    ]
}
