//! `/contacts` (specification, domain part 3).

mod bulk;
mod duplicates;
mod list;
mod merge;
mod verbs;
mod view;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::contact::ContactInput;
use svc_core::permission::Permission;

use crate::api::{self, Route, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};

pub(crate) use self::list::tax_id;

const READ: ByToken = ByToken::With(permission("contacts:contacts.read"));
const CREATE: Permission = permission("contacts:contacts.create");
const UPDATE: Permission = permission("contacts:contacts.update");
const DELETE: ByToken = ByToken::With(permission("contacts:contacts.delete"));
const MERGE: ByToken = ByToken::With(permission("contacts:contacts.merge"));

const ONE: &str = "/contacts/{id}";

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/contacts", READ, "List contacts")
            .about("Filtering by `taxId` needs a token that sees personal data.")
            .params(&list::PARAMS)
            .answers::<list::Contacts>(StatusCode::OK)
            .personal()
            .to(list::list),
        post("/contacts", ByToken::With(CREATE), "Create a contact")
            .body::<Create<ContactInput>>()
            .creates::<view::View>()
            .refuses(&[StatusCode::NOT_FOUND])
            .personal()
            .to(verbs::create),
        post("/contacts/bulk", ByToken::Any, "Create and update up to 100 contacts")
            .about(bulk::ABOUT)
            .body::<bulk::Body>()
            .answers::<bulk::Report>(StatusCode::OK)
            .permissions_per_item(&[CREATE, UPDATE])
            .to(bulk::bulk),
        api::get(ONE, READ, "Get a contact")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::get),
        patch(ONE, ByToken::With(UPDATE), "Change, archive or bring back a contact")
            .about("A patch that changes nothing keeps the version and emits no event.")
            .body::<Update<ContactInput>>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::update),
        api::delete(ONE, DELETE, "Erase a contact that nothing refers to")
            .answers_nothing()
            .versioned()
            .to(verbs::delete),
        post("/contacts/{id}/merge", MERGE, "Absorb another contact of the same company")
            .about("The absorbed contact stays readable as a tombstone. There is no way back.")
            .body::<merge::Body>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(merge::merge),
        post("/contacts/{id}/anonymize", DELETE, "Blank every personal member (GDPR, article 17)")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::anonymize),
        api::get("/contacts/{id}/duplicates", READ, "Contacts that may be the same, likeliest first")
            .answers::<duplicates::Duplicates>(StatusCode::OK)
            .personal()
            .to(duplicates::duplicates),
    ]
}
