//! Links for uploads that an assistant asks for: see [`svc_auth::upload`].

use serde_json::{Map, Value};
use svc_auth::token::TokenValue;
use svc_auth::upload::{self, UploadLink, UploadLinkError};
use svc_business::catalogue::permission;
use svc_business::document::file::{self, File, FileInput, Uploaded};
use svc_business::record;
use svc_core::clock::Timestamp;
use svc_core::content::{Content, Digest};
use svc_core::id::AccountId;

use super::Assistant;
use crate::json::{self, Create};
use crate::problem::Problem;
use crate::uploads;

/// What is said of the file, as the tool calls it.
const DATA: &str = "data";

/// Where one file is uploaded, and until when.
pub struct UploadPlace {
    /// The address, which nothing else tells: it stands for the upload.
    pub url: String,
    /// When it stops working.
    pub until: Timestamp,
    /// Bytes that a file may have.
    pub most: u64,
}

impl Assistant {
    /// Makes an address at which one file of this company is uploaded without a token. What is said of the file is judged
    /// now, and again with the file.
    ///
    /// # Errors
    /// [`UploadLinkError`]; `missing_permission`, findings on the properties, and that of a store that fails.
    pub async fn upload_link(
        &self,
        company: AccountId,
        properties: Map<String, Value>,
    ) -> Result<Result<UploadPlace, UploadLinkError>, Problem> {
        self.permits(permission(uploads::PERMISSION))?;
        let mut said = properties;
        said.insert("companyId".to_owned(), company.to_string().into());
        let said = Value::Object(said).to_string();
        let Create::<FileInput> { input, .. } = json::of_part(DATA, said.as_bytes())?;
        self.judge(company, input).await?;
        let (storage, actor) = (self.oauth()?.storage(), self.actor());
        let made =
            upload::make(storage, self.context(&actor), self.principal(), said, &self.app.peppers).await;
        match made {
            Ok((value, link)) => Ok(Ok(self.place(&value, &link))),
            Err(refused) => Ok(Err(refused.into_own()?)),
        }
    }

    fn place(&self, value: &TokenValue, link: &UploadLink) -> UploadPlace {
        let url = format!("{}{}/{}", self.app.settings.public_url, uploads::PATH, value.expose());
        UploadPlace { url, until: link.until, most: self.app.settings.max_file_bytes }
    }

    /// Judges what is said of a file that is not there yet: it is recorded in a unit of work that never commits.
    async fn judge(&self, company: AccountId, input: FileInput) -> Result<(), Problem> {
        let actor = self.actor();
        let unit = self.app.business.begin().await?;
        let home = record::home::<File>(unit.as_ref(), self.context(&actor), company).await?;
        file::create(home, unsent(company), input).await.map_err(|refused| refused.within(DATA))?;
        Ok(())
    }
}

/// A file of which no byte came.
fn unsent(company: AccountId) -> Uploaded {
    let content = Content { digest: Digest::of(b""), size: 0 };
    Uploaded { name: None, content, kept_for: company, mime_type: "application/octet-stream".to_owned() }
}
