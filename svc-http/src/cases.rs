//! `/cases` (specification, domain part 4).

mod list;
mod timeline;
mod verbs;
mod view;

use http::StatusCode;
use svc_business::case::{CaseInput, CloseRequest};
use svc_business::catalogue::permission;

use crate::api::{self, Route, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const READ: ByToken = ByToken::With(permission("crm:cases.read"));
const CREATE: ByToken = ByToken::With(permission("crm:cases.create"));
const UPDATE: ByToken = ByToken::With(permission("crm:cases.update"));

const ONE: &str = "/cases/{id}";

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/cases", READ, "List cases")
            .params(&list::PARAMS)
            .answers::<Listed<view::View>>(StatusCode::OK)
            .to(list::list),
        post("/cases", CREATE, "Open a case")
            .about("It gets the next number of its company and the year of `openedOn`.")
            .body::<Create<CaseInput>>()
            .creates::<view::View>()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(verbs::create),
        api::get(ONE, READ, "Get a case").answers::<view::View>(StatusCode::OK).versioned().to(verbs::get),
        patch(ONE, UPDATE, "Change a case")
            .about(
                "A patch that changes nothing keeps the version and emits no event. A closed case changes only by \
                 being reopened: 409 `case_closed`.",
            )
            .body::<Update<CaseInput>>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(verbs::update),
        post("/cases/{id}/close", UPDATE, "Close a case with its outcome")
            .body::<CloseRequest>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(verbs::close),
        post("/cases/{id}/reopen", UPDATE, "Open a closed case again")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(verbs::reopen),
        post("/cases/{id}/notes", UPDATE, "Add a note to the timeline of a case")
            .body::<verbs::Note>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(verbs::note),
        api::get("/cases/{id}/timeline", READ, "What happened to a case, oldest first")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<timeline::View>>(StatusCode::OK)
            .to(timeline::timeline),
    ]
}
