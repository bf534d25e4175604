//! The tax profile of a company: there is one, so that it is got and not found.

use http::Method;
use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use super::find::answered;
use super::rows::{Row, grants};
use super::{Does, Effect, Shown, Tool, overview, save};
use crate::answer::Refused;

pub(super) const PROFILE: &str = "/tax/profile";
/// Members of a profile that hold text which other people wrote.
pub(super) const WRITTEN: &[&str] = &["fiscalAddress", "activities", "representative"];

pub(super) async fn profile(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?.to_string();
    arguments.finish()?;
    let call = Call::new(Method::GET, PROFILE).query("companyId", company.as_str());
    let item = answered(assistant, call).await?;
    Ok(json!({ "company": company, "item": item, "untrusted": WRITTEN }))
}

pub(super) fn row() -> Row {
    let name = "tax_profile_get";
    Row {
        tool: Tool {
            name,
            role: ConnectionRole::ReadOnly,
            needs: grants(&["tax:profile.read"]),
            does: Does::Profile,
        },
        shown: Shown {
            name,
            title: "Get the tax profile",
            about: "What the company is taxed by, and the returns that it owes this year with their days.",
            schemas: [&overview::input(), &save::output()],
            effect: Effect::Nothing,
        }
        .described(),
    }
}
