//! GET /audit-log

use http::StatusCode;
use svc_core::audit::Filter;
use svc_core::clock::Timestamp;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::Query;

pub(super) async fn list(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let (scope, request) = (req.selected()?, req.query.page(PageRules::USUAL)?);
    let page = req.app.audit.page(&scope, &filter(&req.query)?, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}

fn filter(query: &Query) -> Result<Filter, Problem> {
    let (from, to) = query.dates()?;
    Ok(Filter {
        action: query.parse("action")?,
        subject: query.text("subject")?.map(str::to_owned),
        from: from.map(Timestamp::start_of),
        // The day after the last one that there can be is no bound at all.
        until: to.and_then(time::Date::next_day).map(Timestamp::start_of),
    })
}
