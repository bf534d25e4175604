//! The records of documents for the tax office as rows: one of the issue, and one of the voiding.

use sea_orm::{QueryResult, Value};
use svc_business::party::TaxId;
use svc_business::sales::document::{SalesDocument, Status};
use svc_business::sales::verifactu::{
    Annulment, AnyRecord, Compliance, Record, RecordHash, RecordType, Registration, Transmission,
};
use svc_core::error::StoreError;
use svc_core::money::{Amount, Currency};
use svc_core::pii::Pii;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::business::cell::{Cell, Stored, displayed, named};
use crate::value::broken;

/// The columns of a record, in the order of the rows.
pub(super) const COLUMNS: &[&str] = &[
    "kind",
    "place",
    "issuer",
    "number",
    "date",
    "record_type",
    "currency",
    "tax",
    "total",
    "previous_hash",
    "generated_at",
    "hash",
    "transmission",
];

const REGISTRATION: &str = "registration";
const ANNULMENT: &str = "annulment";
const BROKEN: &str = "verifactu_records.kind";

named!(RecordType: name, Transmission: name);
displayed!(RecordHash);

impl Stored for OffsetDateTime {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.format(&Rfc3339).expect("years of the calendar have four digits")
    }

    fn from_sql(sql: String) -> Option<Self> {
        Self::parse(&sql, &Rfc3339).ok()
    }
}

/// The records of a document.
pub(super) fn rows_of(document: &SalesDocument) -> Vec<Vec<Value>> {
    let registration = document.issue_data().and_then(|issue| issue.compliance.as_ref());
    let annulment = match &document.status {
        Status::Voided { void, .. } => void.compliance.as_ref(),
        Status::Draft { .. } | Status::Issued { .. } => None,
    };
    let rows = registration.map(of_registration).into_iter();
    rows.chain(annulment.map(of_annulment)).collect()
}

fn of_registration(compliance: &Compliance<Registration>) -> Vec<Value> {
    let Registration { issuer, number, date, record_type, tax, total } = &compliance.record.subject;
    let mut row = vec![REGISTRATION.to_owned().put(), compliance.place.put(), issuer.put()];
    row.extend([
        number.put(),
        date.put(),
        Some(*record_type).put(),
        Some(tax.currency()).put(),
        Some(tax.minor()).put(),
        Some(total.minor()).put(),
    ]);
    row.extend(chained(&compliance.record, compliance.transmission));
    row
}

fn of_annulment(compliance: &Compliance<Annulment>) -> Vec<Value> {
    let Annulment { issuer, number, date } = &compliance.record.subject;
    let nothing: Option<i64> = None;
    let mut row = vec![ANNULMENT.to_owned().put(), compliance.place.put(), issuer.put()];
    row.extend([
        number.put(),
        date.put(),
        None::<RecordType>.put(),
        None::<Currency>.put(),
        nothing.put(),
        nothing.put(),
    ]);
    row.extend(chained(&compliance.record, compliance.transmission));
    row
}

fn chained<S>(record: &Record<S>, transmission: Transmission) -> [Value; 4] {
    [record.previous.put(), record.generated_at.put(), record.hash.put(), transmission.put()]
}

/// Adds a record to its document.
pub(super) fn add(document: &mut SalesDocument, row: &QueryResult) -> Result<(), StoreError> {
    let (place, transmission) = (u64::take(row, "place")?, Transmission::take(row, "transmission")?);
    match (read(row)?, &mut document.status) {
        (AnyRecord::Registration(record), Status::Issued { issue } | Status::Voided { issue, .. }) => {
            issue.compliance = Some(Compliance { place, record, transmission });
        }
        (AnyRecord::Annulment(record), Status::Voided { void, .. }) => {
            void.compliance = Some(Compliance { place, record, transmission });
        }
        (AnyRecord::Registration(_) | AnyRecord::Annulment(_), _) => return Err(broken(BROKEN)),
    }
    Ok(())
}

/// A record of any kind.
pub(super) fn read(row: &QueryResult) -> Result<AnyRecord, StoreError> {
    let issuer = Pii::<TaxId>::take(row, "issuer")?;
    let (number, date) = (Cell::take(row, "number")?, Cell::take(row, "date")?);
    match String::take(row, "kind")?.as_str() {
        REGISTRATION => {
            let currency = Currency::take(row, "currency")?;
            let amount =
                |column| Amount::from_minor(Cell::take(row, column)?, currency).map_err(|_| broken(BROKEN));
            let (tax, total) = (amount("tax")?, amount("total")?);
            let record_type = RecordType::take(row, "record_type")?;
            let subject = Registration { issuer, number, date, record_type, tax, total };
            Ok(AnyRecord::Registration(read_chained(row, subject)?))
        }
        ANNULMENT => Ok(AnyRecord::Annulment(read_chained(row, Annulment { issuer, number, date })?)),
        _ => Err(broken(BROKEN)),
    }
}

fn read_chained<S>(row: &QueryResult, subject: S) -> Result<Record<S>, StoreError> {
    Ok(Record {
        subject,
        previous: Cell::take(row, "previous_hash")?,
        generated_at: OffsetDateTime::take(row, "generated_at")?,
        hash: RecordHash::take(row, "hash")?,
    })
}
