//! POST /accounts: a token creates subsidiaries only, and only where it reaches them afterwards.

use http::StatusCode;
use svc_business::account::AccountInput;
use svc_business::founding;
use svc_core::patch::Patch;

use super::view;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Create;
use crate::problem::{Code, Problem};

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<AccountInput> { input, .. } = req.json()?;
    match input.parent {
        Patch::Value(_) => {}
        Patch::Absent | Patch::Null => {
            let detail = "a company without parentAccountId stands alone: only the client area creates one";
            return Err(Problem::new(Code::AccountTokenNotAccepted, detail).at(
                "parentAccountId",
                "required",
                "names the parent company, within reach",
            ));
        }
    }
    let Some(creator) = req.caller.principal.creator else {
        let detail = "no person created this token, and a company needs one who answers for it";
        return Err(Problem::new(Code::AccountTokenNotAccepted, detail));
    };
    let unit = req.app.business.begin().await?;
    let created = founding::create_subsidiary(unit.as_ref(), req.call(), input, creator).await?;
    if !req.caller.principal.reaches_new_in(created.group) {
        // Nothing is committed: its `Location` would answer this token with 404.
        return Err(out_of_reach());
    }
    let location = format!("/accounts/{}", created.id);
    let duplicates = view::duplicates(&req, &created).await?;
    // The new company is not within this request's reach yet, but its parent is; who lost that one gets no replay.
    let parent = created.parent.unwrap_or(req.caller.principal.primary);
    let answer = view::answer(StatusCode::CREATED, created, duplicates).only_of(parent).location(&location);
    let done = pending.finish(unit, answer).await;
    // The token names the group, and so reaches its new company from the next request on.
    req.app.authenticator.forget();
    done
}

fn out_of_reach() -> Problem {
    let detail = "a token reaches a new company only through its group: create one in the client area that names \
                  the whole group of the parent company, which is put into a group there if it has none";
    Problem::new(Code::SubsidiaryOutOfReach, detail).at(
        "parentAccountId",
        "subsidiary_out_of_reach",
        "is in no group that the token names whole",
    )
}
