//! Where a document is in its life, in columns.

use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::books::entry::FxRate;
use svc_business::purchases::document::{
    Approval, Counterparty, Means, Plan, Rejection, State, Status, Void,
};
use svc_business::purchases::register::RegisterNumber;
use svc_business::purchases::supplier::{SupplierType, WithholdingKey};
use svc_business::trade::Rate;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{ContactId, PaymentId, SupplierDocumentId};
use svc_core::money::{Amount, Currency};
use time::Date;

use crate::business::cell::{Cell, Columns, displayed, named};
use crate::business::invoicing::{Currencies, Money, payments, settlement};
use crate::value::{broken, from_json, json};

const STATUS: &str = "supplier_documents.status";
const PAYMENTS: &str = "supplier_documents.payments";
const ASSETS: &str = "supplier_documents.assets";

named!(SupplierType: name, WithholdingKey: name);
displayed!(Rate);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredMeans {
    Money(Money),
    Offset { document: SupplierDocumentId, payment: PaymentId },
}

impl From<&Means> for StoredMeans {
    fn from(means: &Means) -> Self {
        match means.clone() {
            Means::Money { method, bank_account, movement } => {
                Self::Money(Money { method, bank_account, movement })
            }
            Means::Offset { document, payment } => Self::Offset { document, payment },
        }
    }
}

impl From<StoredMeans> for Means {
    fn from(means: StoredMeans) -> Self {
        match means {
            StoredMeans::Money(Money { method, bank_account, movement }) => {
                Self::Money { method, bank_account, movement }
            }
            StoredMeans::Offset { document, payment } => Self::Offset { document, payment },
        }
    }
}

/// The columns of a status, in this order: those of a plan or an approval first. The columns `payable`, `currency` and
/// `base_currency` of the row are read as well.
impl Columns for Status {
    fn store(&self, values: &mut Vec<Value>) {
        let approval = self.approval();
        values.push(self.state().put());
        values.extend(match self {
            Self::Received { plan } | Self::Rejected { plan, .. } => {
                [plan.accounting_date.put(), plan.due_date.put(), plan.fx_rate.put()]
            }
            Self::Approved { approval } | Self::Voided { approval, .. } => [
                Some(approval.accounting_date).put(),
                Some(approval.due_date).put(),
                Some(approval.fx_rate).put(),
            ],
        });
        let place = approval.and_then(|approval| approval.register);
        let ended = match self {
            Self::Received { .. } | Self::Approved { .. } => None,
            Self::Rejected { rejection, .. } => Some((rejection.reason.clone(), rejection.at)),
            Self::Voided { void, .. } => Some((void.reason.clone(), void.at)),
        };
        values.extend([
            place.map(|place| place.year).put(),
            place.map(|place| place.number).put(),
            approval.map(|approval| approval.contact).put(),
            approval.map(|approval| approval.supplier.clone()).put(),
            approval.map(|approval| approval.supplier_type).put(),
            approval.map(|approval| approval.withholding_key).put(),
            approval.map(|approval| approval.pro_rata).put(),
            approval.map(|approval| approval.late_tax).put(),
            approval.map(|approval| approval.approved_at).put(),
            approval
                .map(|approval| payments(&approval.settlement, |means| -> StoredMeans { means.into() }))
                .put(),
            approval.and_then(|approval| approval.journal_entry).put(),
            approval.map(|approval| json(&approval.assets)).put(),
            ended.as_ref().map(|(reason, _)| reason.clone()).put(),
            ended.map(|(_, at)| at).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, accounting_date, due_date, fx_rate, approved @ .., reason, ended_at] = columns else {
            return Err(StoreError::backend("eighteen columns"));
        };
        let accounting_date: Option<Date> = Cell::take(row, accounting_date)?;
        let due_date: Option<Date> = Cell::take(row, due_date)?;
        let fx_rate: Option<FxRate> = Cell::take(row, fx_rate)?;
        let plan = Plan { accounting_date, due_date, fx_rate };
        let (reason, at): (Option<String>, Option<Timestamp>) =
            (Cell::take(row, reason)?, Cell::take(row, ended_at)?);
        match (State::take(row, status)?, reason.zip(at)) {
            (State::Received, None) => Ok(Self::Received { plan }),
            (State::Rejected, Some((reason, at))) => {
                Ok(Self::Rejected { plan, rejection: Rejection { reason, at } })
            }
            (State::Approved, None) => {
                Ok(Self::Approved { approval: Box::new(load_approval(row, plan, approved)?) })
            }
            (State::Voided, Some((reason, at))) => Ok(Self::Voided {
                approval: Box::new(load_approval(row, plan, approved)?),
                void: Void { reason, at },
            }),
            _ => Err(broken(STATUS)),
        }
    }
}

/// The approval, of which a plan has the first members.
fn load_approval(row: &QueryResult, plan: Plan, columns: &[&'static str]) -> Result<Approval, StoreError> {
    let [
        year,
        number,
        contact,
        supplier,
        supplier_type,
        withholding_key,
        pro_rata,
        late_tax,
        approved_at,
        payments,
        journal_entry,
        assets,
    ] = columns
    else {
        return Err(StoreError::backend("twelve columns of an approval"));
    };
    let missing = || broken(STATUS);
    let (year, number): (Option<i32>, Option<u32>) = (Cell::take(row, year)?, Cell::take(row, number)?);
    let currencies =
        Currencies { own: Currency::take(row, "currency")?, base: Currency::take(row, "base_currency")? };
    let payable = Amount::from_minor(Cell::take(row, "payable")?, currencies.own).map_err(|_| missing())?;
    let paid = String::take(row, payments)?;
    Ok(Approval {
        register: year.zip(number).map(|(year, number)| RegisterNumber { year, number }),
        contact: ContactId::take(row, contact)?,
        supplier: <Counterparty as Cell>::take(row, supplier)?,
        supplier_type: SupplierType::take(row, supplier_type)?,
        withholding_key: WithholdingKey::take(row, withholding_key)?,
        accounting_date: plan.accounting_date.ok_or_else(missing)?,
        due_date: plan.due_date.ok_or_else(missing)?,
        fx_rate: plan.fx_rate.ok_or_else(missing)?,
        pro_rata: Rate::take(row, pro_rata)?,
        late_tax: bool::take(row, late_tax)?,
        approved_at: Timestamp::take(row, approved_at)?,
        settlement: settlement(PAYMENTS, &paid, payable, currencies, <Means as From<StoredMeans>>::from)?,
        journal_entry: Cell::take(row, journal_entry)?,
        assets: from_json(ASSETS, &String::take(row, assets)?)?,
    })
}
