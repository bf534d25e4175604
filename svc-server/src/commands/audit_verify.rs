//! `audit verify`: whether every company's log is the one that was written.

mod mark;
mod walk;

use clap::Args;
use serde::Serialize;
use svc_core::audit::Head;
use svc_core::id::AccountId;

pub(crate) use self::mark::Mark;
use self::walk::{Finding, Walker};
use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::{Output, Tone};

/// `audit verify`
#[derive(Args, Debug)]
#[command(
    after_help = "Walks the records of each company, seal by seal, and names the first one that was changed, removed \
                  or put in.\nWith --expect it also finds that the newest records were cut off: `svc-server audit \
                  heads` prints what to keep\nfor that. Works beside a running server; ends with 1 when a log is \
                  broken.\n\nExamples:\n  svc-server audit verify\n  svc-server audit verify --account acc_… --json\n  \
                  svc-server audit verify --expect acc_…=120:9f86d0…"
)]
pub(crate) struct Verify {
    /// Only this company (repeatable)
    #[arg(long = "account", value_name = "ID")]
    accounts: Vec<AccountId>,
    /// A record that must be there with this seal (repeatable)
    #[arg(long = "expect", value_name = "ACCOUNT=NUMBER:SEAL")]
    expected: Vec<Mark>,
}

/// What was found of one company.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    account_id: AccountId,
    ok: bool,
    /// Records that fit.
    records: u64,
    /// The last of them.
    seal: Option<String>,
    /// The first record that does not fit.
    broken_record: Option<u64>,
    reason: Option<String>,
}

impl Verify {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let found = self.work(&operator, context.output).await;
        let verdicts = operator.close(found).await?;
        let rows = verdicts.iter().map(|verdict| verdict.row(context.output)).collect();
        let ok = verdicts.iter().all(|verdict| verdict.ok);
        let report = serde_json::json!({"ok": ok, "items": verdicts});
        context.output.table(&report, &["company", "records", "newest seal", "log"], rows);
        match verdicts.iter().find(|verdict| !verdict.ok) {
            None => Ok(()),
            Some(broken) => Err(broken.failure()),
        }
    }

    async fn work(&self, operator: &Operator, output: Output) -> Result<Vec<Verdict>, Failure> {
        let audit = operator.store.database.audit();
        let keys = operator.store.keys.chain_keys();
        let heads = audit.heads().await?;
        let mut verdicts = Vec::new();
        for account in self.companies(&heads) {
            let head = heads.iter().find(|(known, _)| *known == account).map(|(_, head)| *head);
            let expected = self.expected.iter().filter(|mark| mark.account == account).collect();
            let walker = Walker { reader: &*audit, keys: &keys, account, head, expected };
            let finding =
                walker.walk(|number, of| output.note(format!("{account}: {number} of {of}"))).await?;
            verdicts.push(Verdict::of(account, finding));
        }
        Ok(verdicts)
    }

    /// Every company that has a log, or ought to.
    fn companies(&self, heads: &[(AccountId, Head)]) -> Vec<AccountId> {
        let known = heads.iter().map(|(account, _)| *account);
        let mut all: Vec<_> = known
            .chain(self.expected.iter().map(|mark| mark.account))
            .filter(|account| self.accounts.is_empty() || self.accounts.contains(account))
            .chain(self.accounts.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Verdict {
    fn of(account_id: AccountId, finding: Finding) -> Self {
        let (broken_record, reason) = match finding.fault {
            None => (None, None),
            Some(fault) => (Some(fault.record()), Some(fault.to_string())),
        };
        Self {
            account_id,
            ok: reason.is_none(),
            records: finding.last.map_or(0, |head| head.number),
            seal: finding.last.map(|head| head.seal.to_string()),
            broken_record,
            reason,
        }
    }

    fn row(&self, output: Output) -> Vec<String> {
        let log = match &self.reason {
            None => output.tone(Tone::Good, "whole"),
            Some(reason) => output.tone(Tone::Bad, reason),
        };
        let seal = self.seal.clone().unwrap_or_else(|| "-".to_owned());
        vec![self.account_id.to_string(), self.records.to_string(), seal, log]
    }

    fn failure(&self) -> Failure {
        let reason = self.reason.as_deref().unwrap_or("it does not fit");
        Failure::new("audit_broken", format!("the audit log of {} is broken: {reason}", self.account_id))
            .hint("keep a copy of the database as it is, and compare with a backup from before")
    }
}
