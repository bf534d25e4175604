//! `/treasury`.

mod balances;
mod bank_account_view;
mod bank_accounts;
mod import_view;
mod imports;
mod movement_view;
mod movements;
mod proposals;
mod reconciliation;
mod reconciliation_view;

use http::StatusCode;
use svc_business::bank::BankAccountInput;
use svc_business::bank::import::ManualImport;
use svc_business::bank::movement::BankMovementPatch;
use svc_business::catalogue::permission;
use svc_business::treasury::ReconcileRequest;

use self::bank_account_view::View;
use self::import_view::ImportView;
use self::imports::{MOST_BYTES, StatementForm};
use self::movement_view::MovementView;
use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const ACCOUNTS_READ: ByToken = ByToken::With(permission("treasury:bank_accounts.read"));
const ACCOUNTS_CREATE: ByToken = ByToken::With(permission("treasury:bank_accounts.create"));
const ACCOUNTS_UPDATE: ByToken = ByToken::With(permission("treasury:bank_accounts.update"));
const MOVEMENTS_READ: ByToken = ByToken::With(permission("treasury:bank_movements.read"));
const MOVEMENTS_CREATE: ByToken = ByToken::With(permission("treasury:bank_movements.create"));
const MOVEMENTS_UPDATE: ByToken = ByToken::With(permission("treasury:bank_movements.update"));
const RECONCILIATION_READ: ByToken = ByToken::With(permission("treasury:reconciliation.read"));
const RECONCILIATION_CREATE: ByToken = ByToken::With(permission("treasury:reconciliation.create"));
const RECONCILIATION_DELETE: ByToken = ByToken::With(permission("treasury:reconciliation.delete"));
const BALANCES_READ: ByToken = ByToken::With(permission("treasury:balances.read"));

const ACCOUNTS: &str = "/treasury/bank-accounts";
const ACCOUNT: &str = "/treasury/bank-accounts/{id}";
const STATEMENTS: &str = "/treasury/bank-accounts/{id}/imports";
const IMPORTS: &str = "/treasury/imports";
const IMPORT: &str = "/treasury/imports/{id}";
const MOVEMENTS: &str = "/treasury/bank-movements";
const MOVEMENT: &str = "/treasury/bank-movements/{id}";
const PROPOSALS: &str = "/treasury/bank-movements/{id}/proposals";
const CONFIRM: &str = "/treasury/reconciliations/bulk-confirm";
const RECONCILE: &str = "/treasury/bank-movements/{id}/reconcile";
const RECONCILED: &str = "/treasury/bank-movements/{id}/reconciliation";
const BALANCES: &str = "/treasury/balances";

pub(crate) fn routes() -> Vec<Route> {
    bank_accounts()
        .into_iter()
        .chain(imports())
        .chain(movements())
        .chain(reconciliation())
        .chain([balances()])
        .collect()
}

fn bank_accounts() -> [Route; 4] {
    [
        api::get(ACCOUNTS, ACCOUNTS_READ, "List bank accounts")
            .about("In the order in which they were added.")
            .params(&bank_accounts::PARAMS)
            .answers::<Listed<View>>(StatusCode::OK)
            .personal()
            .to(bank_accounts::list),
        post(ACCOUNTS, ACCOUNTS_CREATE, "Add a bank account, a cash box or a card")
            .about(
                "The ledger gets an account for it under 572, or 570 for a cash box, unless `accountCode` names one. The \
                 first account of a company is its default. An IBAN that another active account of the company has is \
                 409 `already_exists`; a token that sees personal data masked is not told, and both stand beside each \
                 other.",
            )
            .body::<Create<BankAccountInput>>()
            .creates::<View>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(bank_accounts::create),
        api::get(ACCOUNT, ACCOUNTS_READ, "Get a bank account")
            .answers::<View>(StatusCode::OK)
            .personal()
            .versioned()
            .unconditional()
            .to(bank_accounts::get),
        patch(ACCOUNT, ACCOUNTS_UPDATE, "Change a bank account")
            .about(
                "`status` archives it, once none of its movements is pending, and brings it back. With `isDefault` it \
                 takes being the default from another account, which emits `bank_account.update` too.",
            )
            .body::<Update<BankAccountInput>>()
            .answers::<View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(bank_accounts::update),
    ]
}

fn reconciliation() -> [Route; 4] {
    [
        api::get(PROPOSALS, RECONCILIATION_READ, "List what a movement may stand for")
            .about(
                "A pending movement is compared with what is due and with payments that no movement stands against: by the \
                 amount, by numbers in its texts, by the account, tax id or name of the other side, by days, and by what \
                 movements with the same text were booked on. The same facts give the same proposals. Account numbers and \
                 tax ids are compared for tokens that see them. Nothing is proposed for a movement that is not pending.",
            )
            .answers::<proposals::ProposalsView>(StatusCode::OK)
            .personal()
            .to(proposals::list),
        post(CONFIRM, RECONCILIATION_CREATE, "Confirm what movements may stand for")
            .about(
                "In the order of the request, each by the rules of the single call with its `proposalId`: look at each \
                 `status`.",
            )
            .body::<proposals::Body>()
            .answers::<proposals::Report>(StatusCode::OK)
            .to(proposals::bulk_confirm),
        post(RECONCILE, RECONCILIATION_CREATE, "Say what a movement stands for")
            .about(
                "`allocations` add up to the movement: there is no movement of which a part is known. `proposalId` \
                 takes those of a proposal, while the same is proposed. An `invoice` or a \
                 `supplier_document` is paid by its part, on the day of the movement; a `payment` that was recorded before, \
                 and a `journal_line` that counts the movement already, are only matched. An `account` of the ledger takes \
                 fees and differences, a `transfer` goes to another bank account, whose own movement is then matched with \
                 the line. A filed `tax_return` is paid, or refunded, by its part. All of it commits together. This emits `reconciliation.confirm`, and what payments and entries \
                 emit.",
            )
            .body::<ReconcileRequest>()
            .answers::<MovementView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(reconciliation::reconcile),
        delete(RECONCILED, RECONCILIATION_DELETE, "Undo what was said of a movement")
            .about(
                "The movement is pending again. Payments that the reconciliation recorded are taken back, those that were \
                 there before stay, and its entry is reversed today, also where the day of the movement is locked. This emits what those \
                 emit.",
            )
            .answers::<MovementView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(reconciliation::undo),
    ]
}

fn balances() -> Route {
    api::get(BALANCES, BALANCES_READ, "Get what a company has")
        .about(
            "What each bank account holds at the end of a day, as the books and the last statement by then say; with \
             `from` also what they held together, day by day. One document, without pages.",
        )
        .params(&balances::PARAMS)
        .answers::<balances::View>(StatusCode::OK)
        .personal()
        .to(balances::get)
}

fn imports() -> [Route; 3] {
    [
        post(STATEMENTS, MOVEMENTS_CREATE, "Import a statement of a bank")
            .about(
                "Send the statement as the part `file`: Norma 43, camt.053 (001.02, 001.08), or a table, whose columns \
                 `mapping` names when their titles do not tell. It is taken whole or not at all: a statement whose counts, \
                 sums or balances do not agree, or that names another account, is refused with a finding on `file`. Only \
                 movements that the account does not have yet are added, so statements may overlap. One of more than 2,000 \
                 movements is judged at once and 202: a job adds its movements. The same file again is 200 with the first \
                 import. A statement that names its account by number needs a token that sees personal data.",
            )
            .upload::<StatementForm>(MOST_BYTES)
            .creates::<ImportView>()
            .or_answers::<ImportView>(StatusCode::ACCEPTED)
            .or_answers::<ImportView>(StatusCode::OK)
            .personal()
            .to(imports::import),
        api::get(IMPORTS, MOVEMENTS_READ, "List imports of movements")
            .about("In the order in which they came; what was written by hand is among them.")
            .params(&imports::PARAMS)
            .answers::<Listed<ImportView>>(StatusCode::OK)
            .personal()
            .to(imports::list),
        api::get(IMPORT, MOVEMENTS_READ, "Get an import of movements")
            .answers::<ImportView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(imports::get),
    ]
}

fn movements() -> [Route; 4] {
    [
        api::get(MOVEMENTS, MOVEMENTS_READ, "List movements of bank accounts")
            .about(
                "In the order in which they were imported, those of a statement in its order. `q` searches descriptions, \
                 names of the other side and references.",
            )
            .params(&movements::PARAMS)
            .answers::<Listed<MovementView>>(StatusCode::OK)
            .personal()
            .to(movements::list),
        post(MOVEMENTS, MOVEMENTS_CREATE, "Write down movements by hand")
            .about(
                "For a cash box, and for what a statement left out: 1 to 100 at once, each added even where the account \
                 has an equal one. They are an import of the format `manual`, which is answered.",
            )
            .body::<ManualImport>()
            .creates::<ImportView>()
            .personal()
            .to(movements::create),
        api::get(MOVEMENT, MOVEMENTS_READ, "Get a movement of a bank account")
            .answers::<MovementView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(movements::get),
        patch(MOVEMENT, MOVEMENTS_UPDATE, "Ignore a movement, or write about it")
            .about(
                "`status` is `ignored` for what stands for nothing to be booked, and `pending` to take that back; `notes` \
                 are the company's own. What the bank says of a movement does not change. This emits no event.",
            )
            .body::<Update<BankMovementPatch>>()
            .answers::<MovementView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(movements::update),
    ]
}
