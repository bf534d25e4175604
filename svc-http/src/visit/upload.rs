//! Links for uploads that assistants asked for: what a page tells of one (see [`svc_auth::upload`]).

use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use super::Visit;
use crate::problem::Problem;
use crate::uploads;

/// A file that is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedFile {
    /// The assistant, as its connection or token is called.
    pub assistant: String,
    /// The company that gets the file.
    pub company: String,
    /// What the file will be called; what its sender calls it when `None`.
    pub name: Option<String>,
    /// Until when it may come.
    pub until: Timestamp,
    /// Bytes that it may have.
    pub most: u64,
}

/// What of the properties a page tells.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    name: Option<String>,
    company_id: AccountId,
}

impl Visit {
    /// The file that a link is for, while the link and the credential that asked for it work.
    ///
    /// # Errors
    /// `not_found`, the refusals of an address that failed too often, and that of a store that fails.
    pub async fn awaited(&self, presented: &str) -> Result<AwaitedFile, Problem> {
        let app = self.app();
        let oauth = app.oauth.as_ref().ok_or_else(Problem::not_found)?;
        let link = uploads::known(app, oauth, presented, (self.from(), self.now())).await?;
        let caller = app.authenticator.admit_credential_again(link.credential).await;
        let caller = caller.map_err(|_| Problem::not_found())?;
        let said: Said = serde_json::from_str(&link.properties).map_err(|_| Problem::not_found())?;
        let company = caller.companies.iter().find(|company| company.id == said.company_id);
        Ok(AwaitedFile {
            assistant: caller.name.clone(),
            company: company.ok_or_else(Problem::not_found)?.legal_name.clone(),
            name: said.name,
            until: link.until,
            most: app.settings.max_file_bytes,
        })
    }
}
