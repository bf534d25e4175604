//! `/billing`: sales documents (specification, domain part 5).

mod bulk;
mod derived;
mod files;
mod history;
mod list;
mod outline_view;
mod parts_view;
mod payments;
mod series;
mod verbs;
mod view;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::sales::input::{
    ConvertRequest, IssueRequest, PaymentRequest, RectifyRequest, SalesDocumentInput, SendRequest,
    SeriesInput, VoidRequest,
};

use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const READ: ByToken = ByToken::With(permission("sales:invoices.read"));
const CREATE: ByToken = ByToken::With(permission("sales:invoices.create"));
const UPDATE: ByToken = ByToken::With(permission("sales:invoices.update"));
const DELETE: ByToken = ByToken::With(permission("sales:invoices.delete"));
const ISSUE: ByToken = ByToken::With(permission("sales:invoices.issue"));
const PAY: ByToken = ByToken::With(permission("sales:invoices.pay"));
const SEND: ByToken = ByToken::With(permission("sales:invoices.send"));
const VOID: ByToken = ByToken::With(permission("sales:invoices.void"));
const SERIES_READ: ByToken = ByToken::With(permission("sales:series.read"));
const SERIES_CREATE: ByToken = ByToken::With(permission("sales:series.create"));
const SERIES_UPDATE: ByToken = ByToken::With(permission("sales:series.update"));

const ONE: &str = "/billing/{id}";

pub(crate) fn routes() -> Vec<Route> {
    [series(), documents(), actions(), derivations()].into_iter().flatten().collect()
}

fn documents() -> Vec<Route> {
    vec![
        api::get("/billing", READ, "List sales documents")
            .about(
                "Newest first. `include=lines` adds lines, taxes, withholdings and payments to each document, on pages \
                 of at most 100.",
            )
            .params(&list::PARAMS)
            .answers::<list::Documents>(StatusCode::OK)
            .to(list::list),
        post("/billing", CREATE, "Write a sales document")
            .about(
                "A draft; with `issue` it is issued at once, which takes `sales:invoices.issue` as well. Lines, \
                 discount, taxes and totals are computed as `POST /billing/preview` does.",
            )
            .body::<Create<SalesDocumentInput>>()
            .creates::<view::View>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(verbs::create),
        post("/billing/preview", READ, "Compute a sales document without keeping it")
            .body::<Create<SalesDocumentInput>>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(verbs::preview),
        post("/billing/bulk-issue", ISSUE, "Issue many drafts")
            .about(bulk::ABOUT)
            .body::<bulk::Body>()
            .answers::<bulk::Report>(StatusCode::OK)
            .to(bulk::bulk_issue),
        api::get(ONE, READ, "Get a sales document")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .unconditional()
            .to(verbs::get),
        patch(ONE, UPDATE, "Change a sales document")
            .about(
                "A draft changes as a whole. Of an issued document `dueDate`, `reference`, `internalNotes`, `tags` \
                 and `metadata` change; anything else is 409 `invoice_issued`.",
            )
            .body::<Update<SalesDocumentInput>>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::update),
        delete(ONE, DELETE, "Erase a draft")
            .about("An issued document is never erased: 409 `invoice_issued`.")
            .answers_nothing()
            .versioned()
            .to(verbs::delete),
        api::get("/billing/{id}/pdf", READ, "Get a sales document as a PDF")
            .about("With the electronic invoice in it; a draft says so on each page. Needs a token that sees personal data.")
            .answers_as::<files::PdfFile>(StatusCode::OK, files::PDF)
            .personal()
            .refuses(&[StatusCode::CONFLICT])
            .to(files::as_pdf),
        api::get("/billing/{id}/ubl", READ, "Get an issued document as an electronic invoice (UBL 2.1, EN 16931)")
            .about("Needs a token that sees personal data.")
            .answers_as::<files::XmlFile>(StatusCode::OK, files::XML)
            .personal()
            .refuses(&[StatusCode::CONFLICT])
            .to(files::as_ubl),
        api::get("/billing/{id}/facturae", READ, "Get an issued document as a Facturae 3.2.2")
            .about("Needs a token that sees personal data.")
            .answers_as::<files::XmlFile>(StatusCode::OK, files::XML)
            .personal()
            .refuses(&[StatusCode::CONFLICT])
            .to(files::as_facturae),
        api::get("/billing/{id}/history", READ, "What happened to a sales document, oldest first")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<history::View>>(StatusCode::OK)
            .to(history::history),
    ]
}

fn actions() -> Vec<Route> {
    vec![
        post("/billing/{id}/issue", ISSUE, "Issue a draft")
            .about(
                "It gets the next number of its series, without gaps; what it says is fixed, its record is chained for \
                 the tax office, and its entry is posted as the books are set.",
            )
            .body::<IssueRequest>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::issue),
        post("/billing/{id}/send", SEND, "Send an issued document by mail")
            .about(
                "202: the mail waits beside the commit and goes out at once, with attempts for two days while no mail \
                 server takes it. `lastSend` and `sentAt` tell how it ended, and `invoice.send` is told once a mail \
                 server has taken it. Files need a token that sees personal data.",
            )
            .body::<SendRequest>()
            .answers::<view::View>(StatusCode::ACCEPTED)
            .personal()
            .versioned()
            .to(verbs::send),
        post("/billing/{id}/void", VOID, "Void an issued document")
            .about(
                "Its number stays used, and its entry is reversed. A document that is paid or put right, or whose tax \
                 was declared, is rectified instead.",
            )
            .body::<VoidRequest>()
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::void),
        post("/billing/{id}/accept", UPDATE, "Note that the customer accepts a quote")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::accept),
        post("/billing/{id}/reject", UPDATE, "Note that the customer rejects a quote")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::reject),
        post("/billing/{id}/payments", PAY, "Record a payment")
            .about(
                "The amount has the sign of what is due and is not more. The method `offset` lets two documents of one \
                 customer with opposite signs pay each other.",
            )
            .body::<PaymentRequest>()
            .answers::<parts_view::PaymentView>(StatusCode::CREATED)
            .versioned()
            .to(payments::pay),
        delete("/billing/{id}/payments/{paymentId}", PAY, "Take a payment back")
            .about("Its entry is reversed; an offset is taken back from both documents.")
            .answers::<view::View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(payments::remove),
    ]
}

fn derivations() -> Vec<Route> {
    vec![
        post("/billing/{id}/rectify", CREATE, "Make a draft that puts an issued document right")
            .about("`full` takes every line; `lines` names what changes.")
            .body::<RectifyRequest>()
            .creates::<view::View>()
            .personal()
            .versioned()
            .to(derived::rectify),
        post("/billing/{id}/duplicate", CREATE, "Make a draft with the content of a document")
            .creates::<view::View>()
            .personal()
            .versioned()
            .to(derived::duplicate),
        post("/billing/{id}/convert", CREATE, "Make an invoice of a quote or a proforma")
            .body::<ConvertRequest>()
            .creates::<view::View>()
            .personal()
            .versioned()
            .to(derived::convert),
    ]
}

fn series() -> Vec<Route> {
    vec![
        api::get("/billing/series", SERIES_READ, "List the series that number sales documents")
            .params(&series::PARAMS)
            .answers::<Listed<series::View>>(StatusCode::OK)
            .to(series::list),
        post("/billing/series", SERIES_CREATE, "Add a series")
            .about("One that runs on from another program says its `firstSequence`.")
            .body::<Create<SeriesInput>>()
            .creates::<series::View>()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(series::create),
        api::get("/billing/series/{id}", SERIES_READ, "Get a series")
            .answers::<series::View>(StatusCode::OK)
            .versioned()
            .unconditional()
            .to(series::get),
        patch("/billing/series/{id}", SERIES_UPDATE, "Change a series")
            .about("What its numbers say stays while numbers of the year exist: 422 `series_in_use`.")
            .body::<Update<SeriesInput>>()
            .answers::<series::View>(StatusCode::OK)
            .versioned()
            .to(series::update),
    ]
}
