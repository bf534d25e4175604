//! GET /accounts

use http::StatusCode;
use svc_business::account::{AccountFilter, AccountSort, StatusFilter};
use svc_core::id::GroupId;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, AccountSort); 3] = [
    ("name", AccountSort::Name),
    ("createdAt", AccountSort::CreatedAt),
    ("updatedAt", AccountSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 7] = [
    PAGE,
    LIMIT,
    Param::new("sort", Kind::Text, "One of name, createdAt, updatedAt; `-` in front for descending."),
    text_in!("the legal name, the trade name and the mail address"),
    Param::new("status", Kind::OneOf(StatusFilter::NAMES), "Only this status."),
    Param::new("groupId", Kind::id::<GroupId>(), "Only companies of this group."),
    UPDATED_SINCE,
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = AccountFilter {
        status: query.parse("status")?,
        group: query.parse("groupId")?,
        text: query.text(TEXT)?.map(str::to_owned),
        updated_since: query.updated_since()?,
    };
    let accounts = req.app.business.accounts();
    let page = accounts.page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| Listed::of(&page, |account| View::of(account, access))))
}
