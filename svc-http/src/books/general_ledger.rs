//! GET /books/{companyId}/reports/general-ledger

use http::StatusCode;
use svc_business::books::account::AccountCode;
use svc_business::books::report::{self, GeneralLedger, LedgerAccount, LedgerLine, LedgerQuery};
use svc_core::id::{ContactId, JournalEntryId};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::statements::{CSV, FROM, TO, period};
use crate::accept;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const PARAMS: [Param; 5] = [
    FROM,
    TO,
    Param::new("accountCode", Kind::Text, "Only this account."),
    Param::new("accountPrefix", Kind::Text, "Only accounts whose codes begin with these digits."),
    Param::new("contactId", Kind::id::<ContactId>(), "Only what is with this contact."),
];

const AMOUNT: Form = Form::ANY.example("1210.00");

wire_view! {
    /// What moved accounts, line by line, in the base currency. Balances are debit minus credit.
    #[derive(Debug)]
    pub(crate) struct View as "GeneralLedger" {
        from: String => Form::DATE,
        to: String => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// In the order of their codes.
        accounts: Vec<AccountView>,
    }
}

wire_view! {
    /// An account of a general ledger.
    #[derive(Debug)]
    struct AccountView as "GeneralLedgerAccount" {
        code: AccountCode => Form::ANY.example("6210000"),
        name: String => Form::ANY.example("Clientes (euros)"),
        /// What it held before `from`.
        opening_balance: String => AMOUNT.example("0.00"),
        /// By date and number of their entries.
        lines: Vec<LineView>,
        /// What it holds at the end of `to`.
        closing_balance: String => AMOUNT,
    }
}

wire_view! {
    /// A line of a general ledger.
    #[derive(Debug)]
    struct LineView as "GeneralLedgerLine" {
        date: String => Form::DATE,
        entry_id: JournalEntryId,
        entry_number: u64 => Form::ANY.number(12),
        /// Its own text, or else that of its entry.
        description: String,
        /// With whom.
        contact_id: Option<ContactId> => Form::ANY.json("null"),
        debit: String => AMOUNT,
        credit: String => AMOUNT.example("0.00"),
        /// The balance after it.
        balance: String => AMOUNT,
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let query = &req.query;
    let (account, prefix) = (query.parse("accountCode")?, query.parse("accountPrefix")?);
    let contact = query.parse("contactId")?;
    let company = req.company_of(&scope, id).await?;
    let asked = LedgerQuery { period: period(&req, &company).await?, account, prefix, contact };
    let ledger = report::general_ledger(req.app.business.as_ref(), &company, asked).await?;
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::csv(ledger.csv()));
    }
    Ok(Answer::plain(StatusCode::OK, &View::of(ledger)))
}

impl View {
    fn of(ledger: GeneralLedger) -> Self {
        Self {
            from: ledger.from.to_string(),
            to: ledger.to.to_string(),
            currency: ledger.currency.code(),
            accounts: ledger.accounts.into_iter().map(AccountView::of).collect(),
        }
    }
}

impl AccountView {
    fn of(account: LedgerAccount) -> Self {
        Self {
            code: account.code,
            name: account.name,
            opening_balance: account.opening_balance.to_string(),
            lines: account.lines.into_iter().map(LineView::of).collect(),
            closing_balance: account.closing_balance.to_string(),
        }
    }
}

impl LineView {
    fn of(line: LedgerLine) -> Self {
        Self {
            date: line.date.to_string(),
            entry_id: line.entry_id,
            entry_number: line.entry_number,
            description: line.description,
            contact_id: line.contact_id,
            debit: line.debit.to_string(),
            credit: line.credit.to_string(),
            balance: line.balance.to_string(),
        }
    }
}
