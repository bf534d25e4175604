//! What belongs to a case.

use serde::Serialize;
use svc_core::error::{StoreError, Validator};
use svc_core::id::{EnvelopeId, FileId, IdError, NoticeId, SalesDocumentId, TaxReturnId, TypedId as _};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_names, wire_request};
use uuid::Uuid;

use crate::case::Case;
use crate::party::distinct_links;
use crate::ports::DynCaseUnit;
use crate::record::Home;

/// How many records a case may be linked with.
const MOST_LINKS: usize = 50;

/// What kind of record a case is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaseLinkType {
    /// `invoice`: any sales document
    Invoice,
    /// `file`
    File,
    /// `envelope`
    Envelope,
    /// `notice`
    Notice,
    /// `tax_return`
    TaxReturn,
}

wire_names!(CaseLinkType {
    Invoice = "invoice",
    File = "file",
    Envelope = "envelope",
    Notice = "notice",
    TaxReturn = "tax_return",
});

/// A record of the same company that belongs to a case. One that is erased later leaves its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseLink {
    /// What kind of record it is.
    pub kind: CaseLinkType,
    /// Its id, of that kind.
    pub id: Uuid,
}

wire_request! {
    /// A record that belongs to a case, as texts.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct CaseLinkText as "CaseLink" {
        /// What kind of record it is.
        pub r#type: CaseLinkType,
        /// Its id.
        pub id: String => Form::pattern("^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$"),
    }
}

impl CaseLinkText {
    fn read(&self) -> Result<CaseLink, IdError> {
        let id = match self.r#type {
            CaseLinkType::Invoice => self.id.parse().map(SalesDocumentId::uuid),
            CaseLinkType::File => self.id.parse().map(FileId::uuid),
            CaseLinkType::Envelope => self.id.parse().map(EnvelopeId::uuid),
            CaseLinkType::Notice => self.id.parse().map(NoticeId::uuid),
            CaseLinkType::TaxReturn => self.id.parse().map(TaxReturnId::uuid),
        }?;
        Ok(CaseLink { kind: self.r#type, id })
    }
}

impl From<CaseLink> for CaseLinkText {
    fn from(CaseLink { kind, id }: CaseLink) -> Self {
        let id = match kind {
            CaseLinkType::Invoice => SalesDocumentId::from_uuid(id).to_string(),
            CaseLinkType::File => FileId::from_uuid(id).to_string(),
            CaseLinkType::Envelope => EnvelopeId::from_uuid(id).to_string(),
            CaseLinkType::Notice => NoticeId::from_uuid(id).to_string(),
            CaseLinkType::TaxReturn => TaxReturnId::from_uuid(id).to_string(),
        };
        Self { r#type: kind, id }
    }
}

/// The links that a case has after the input; what is wrong with them by themselves goes to `validator`.
pub(super) fn apply(validator: &mut Validator, given: &Patch<Vec<CaseLinkText>>, links: &mut Vec<CaseLink>) {
    let given = match given {
        Patch::Absent => return,
        Patch::Null => &[],
        Patch::Value(given) => given.as_slice(),
    };
    links.clear();
    let message = format!("must have at most {MOST_LINKS} links");
    if !validator.require(given.len() <= MOST_LINKS, "links", "too_many", message) {
        return;
    }
    *links = distinct_links(validator, given, "link", CaseLinkText::read);
}

/// Judges the links that a case did not have before: their records must be of its company.
pub(super) async fn refer(
    validator: &mut Validator,
    home: &Home<'_, DynCaseUnit>,
    before: &[CaseLink],
    after: &Case,
) -> Result<(), StoreError> {
    let new: Vec<_> = after.links.iter().copied().filter(|link| !before.contains(link)).collect();
    if new.is_empty() {
        return Ok(());
    }
    let known = home.unit.cases().linkable(home.call.scope, home.company.id, &new).await?;
    for (at, link) in after.links.iter().enumerate() {
        let message = format!("no {} of the company has this id", link.kind);
        let field = format!("links[{at}].id");
        validator.require(!new.contains(link) || known.contains(link), &field, "unknown_reference", message);
    }
    Ok(())
}
