//! Opening a case.

use svc_core::error::Validator;
use svc_core::id::{CaseId, ContactId, TypedId};
use svc_core::refused::Refused;
use svc_core::resource::Version;

use crate::case::rules::{apply, refer};
use crate::case::timeline::append;
use crate::case::{Case, CaseInput, CaseNumber, CaseStatus, CaseType, EntryKind, Priority, link};
use crate::party::Extension;
use crate::ports::DynCaseUnit;
use crate::record::Home;

/// Opens a case with the next number of its company and year. Emits case.create.
///
/// # Errors
/// [`Refused`]; nothing was added.
pub async fn create(home: Home<'_, DynCaseUnit>, input: CaseInput) -> Result<Case, Refused> {
    let mut validator = Validator::new();
    let mut case = apply(&mut validator, &blank(&home), &input, home.company.base_currency, true);
    refer(&mut validator, &home, &mut case, &input, true).await?;
    link::refer(&mut validator, &home, &[], &case).await?;
    validator.finish()?;
    let year = case.opened_on.year();
    case.number = CaseNumber { year, sequence: home.unit.cases().next_number(case.company, year).await? };
    let case = home.add(case).await?;
    append(&home, &case, EntryKind::Created, None).await?;
    Ok(case)
}

/// A case as it is before the input of its creation.
fn blank(home: &Home<'_, DynCaseUnit>) -> Case {
    let (company, call) = (&home.company, home.call);
    let opened_on = company.local_date(call.now);
    Case {
        id: CaseId::generate(call.now, call.random),
        company: company.id,
        number: CaseNumber { year: opened_on.year(), sequence: 0 },
        title: String::new(),
        description: None,
        case_type: CaseType::Other,
        status: CaseStatus::Open,
        priority: Priority::Normal,
        contact: ContactId::from_uuid(company.id.uuid()),
        participants: Vec::new(),
        responsible: None,
        opened_on,
        due_on: None,
        links: Vec::new(),
        estimated_fees: None,
        tags: Vec::new(),
        entries: 1,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}
