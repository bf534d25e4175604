//! What an import of a bank's statement takes, in times of the insertion of its rows alone.
//!
//! Both go into one database in the same parts, each with a commit of its own: the statement is read, judged, left to its job
//! and taken by that, and the same movements are inserted into another account by the storage, with nothing in front of it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;
use svc_business::bank::import::{
    self, BankMovementImport, Imported, MOST_AT_ONCE, Reading, StatementFile, proceed, waiting,
};
use svc_business::bank::movement::BankMovement;
use svc_business::bank::{self, BankAccount};
use svc_business::founding;
use svc_business::job::JobKind;
use svc_business::ports::DynBankUnit;
use svc_business::record::{Opened, alone, home};
use svc_core::audit::Actor;
use svc_core::id::{AccountId, BankAccountId, BankMovementId, BankMovementImportId, TypedId as _};
use svc_core::money::Currency;
use svc_core::pii::PiiAccess;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::{account, at, everything};
use svc_testkit::fakes::SeededRandom;

use crate::faults::{Report, progress};
use crate::median;

/// How much longer an import may take than its rows alone.
const RATIO: f64 = 3.0;
/// Imports that are measured, each with the insertion of its rows behind it.
const ROUNDS: u32 = 3;

/// Runs it on an empty database.
///
/// # Panics
/// When an import does not bring every line.
pub async fn run(database: Database, lines: u32, seed: u64) -> Report {
    database.migrate(at(0)).await.expect("the schema is made");
    let random = SeededRandom::new(seed);
    let company = account(1);
    let run = Run { database, company: company.id, random };
    let unit = run.database.business().begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &company).await.expect("a company");
    unit.commit().await.expect("committed");
    let (scope, actor) = (everything(), Actor::service("imports"));
    let call = CallContext {
        scope: &scope,
        access: PiiAccess::Masked,
        actor: &actor,
        now: at(1),
        random: &run.random,
    };
    let unit = run.database.business().begin().await.expect("a unit");
    founding::begin(unit.as_ref(), call, &company).await.expect("books");
    unit.commit().await.expect("committed");
    let (mut imports, mut inserts, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let [one, other] = [run.account(call, round, 0).await, run.account(call, round, 1).await];
        let import = run.import(call, one, statement(lines, round)).await;
        let rows = run.rows(one, import.0).await;
        assert_eq!(rows.len(), usize::try_from(lines).unwrap_or(usize::MAX), "every line is a movement");
        let insert = run.insert(call, other, &rows).await;
        progress(&format!("round {round}: {:?} and {insert:?}", import.1));
        imports.push(import.1);
        inserts.push(insert);
        ratios.push(import.1.as_secs_f64() / insert.as_secs_f64());
    }
    run.database.close().await;
    let mut report = Report::new(format!("imports of {lines} movements"), seed);
    report.shown("an import", format!("{:?}", median(imports)));
    report.shown("its rows alone", format!("{:?}", median(inserts)));
    let ratio = median(ratios);
    report.timed("an import, in times of its rows alone", ratio, &format!("≤ {RATIO}"), ratio <= RATIO);
    report
}

struct Run {
    database: Database,
    company: AccountId,
    random: SeededRandom,
}

/// A table with movements of a month, no two alike.
fn statement(lines: u32, round: u32) -> Vec<u8> {
    let mut table = String::from("Fecha;Concepto;Importe\n");
    for line in 0..lines {
        let day = 1 + line % 28;
        writeln!(
            table,
            "{day:02}/01/2025;Recibo {round}-{line} de Ferretería Abeto;{},{:02}",
            1 + line / 100,
            line % 100
        )
        .expect("a text takes more");
    }
    table.into_bytes()
}

impl Run {
    async fn account(&self, call: CallContext<'_>, round: u32, number: u32) -> BankAccountId {
        let new = json!({"name": format!("Banco {round}-{number}"), "type": "other"});
        let new = serde_json::from_value(new).expect("an account");
        let unit = self.database.business().begin().await.expect("a unit");
        let banks: &DynBankUnit = unit.as_ref();
        let house = home::<BankAccount>(banks, call, self.company).await.expect("the company");
        let account = bank::create(&house, &new).await.expect("added");
        unit.commit().await.expect("committed");
        account.id
    }

    /// Imports a statement as the API and its job do.
    async fn import(
        &self,
        call: CallContext<'_>,
        account: BankAccountId,
        statement: Vec<u8>,
    ) -> (BankMovementImportId, Duration) {
        let start = Instant::now();
        let file =
            StatementFile::read(None, statement, Reading::default(), Currency::EUR).expect("it is read");
        let unit = self.database.business().begin().await.expect("a unit");
        let banks: &DynBankUnit = unit.as_ref();
        let opened: Opened<'_, BankAccount> =
            alone(banks, call, account, &[], &Expected::Any).await.expect("opened");
        let imported = import::import(&opened, file).await.expect("taken");
        unit.commit().await.expect("committed");
        let Imported::New(BankMovementImport { id, .. }) = imported else {
            unreachable!("the statement is new")
        };
        let business = self.database.business();
        let unit = business.begin().await.expect("a unit");
        let until = call.now.plus(Duration::from_mins(5));
        let jobs = unit.jobs().claim(JobKind::BankImport, call.now, until, 1).await.expect("claimed");
        unit.commit().await.expect("committed");
        // One of few movements is complete at once.
        for job in &jobs {
            let waiting = waiting(&*business, job).await.expect("read").expect("it waits");
            proceed(&*business, call, &waiting.read().expect("read")).await.expect("taken");
        }
        (id, start.elapsed())
    }

    /// The movements of an import.
    async fn rows(&self, account: BankAccountId, import: BankMovementImportId) -> Vec<BankMovement> {
        let (business, mut after, mut rows) = (self.database.business(), None, Vec::new());
        loop {
            let most = u32::try_from(MOST_AT_ONCE).unwrap_or(u32::MAX);
            let found = business.bank_movements().pending_of(self.company, import, after, most).await;
            let found = found.expect("read");
            let Some(last) = found.last() else { return rows };
            assert_eq!(last.bank_account, account);
            after = Some(last.id);
            rows.extend(found);
        }
    }

    /// Inserts the same movements into another account.
    async fn insert(&self, call: CallContext<'_>, account: BankAccountId, rows: &[BankMovement]) -> Duration {
        let scope = everything();
        let first = rows.first().expect("a movement").import;
        let of = self.database.business().bank_imports().find(&scope, first).await.expect("read");
        let of = of.expect("the import");
        let import = BankMovementImport {
            id: BankMovementImportId::generate(call.now, call.random),
            bank_account: account,
            ..of
        };
        let mut copies: Vec<BankMovement> = rows.to_vec();
        for copy in &mut copies {
            (copy.id, copy.bank_account, copy.import) =
                (BankMovementId::generate(call.now, call.random), account, import.id);
        }
        copies.sort_by_key(|copy| copy.id);
        let start = Instant::now();
        for (place, part) in copies.chunks(MOST_AT_ONCE).enumerate() {
            let unit = self.database.business().begin().await.expect("a unit");
            if place == 0 {
                unit.bank_imports().insert(&scope, &import).await.expect("inserted");
            }
            unit.bank_movements().insert_all(&scope, part).await.expect("inserted");
            unit.commit().await.expect("committed");
        }
        start.elapsed()
    }
}
