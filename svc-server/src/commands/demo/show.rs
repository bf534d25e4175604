//! The demo while it runs: what is done, and what arrives of it.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use svc_core::clock::Clock as _;
use svc_core::system::SystemClock;
use svc_seal::SealKey;
use time::Date;
use tokio::time::{Instant, sleep, timeout_at};

use super::api::Api;
use super::business::Bought;
use super::closing::{bank, contract, vat};
use super::desk::Desk;
use super::story::{Expected, Step, id};
use super::{balance, business, contacts, data};
use crate::commands::bootstrap::Made;
use crate::failure::Failure;
use crate::output::{self, Output, Tone};
use crate::receiver::{Receipt, Verdict};
use crate::store::Store;

/// The deliveries of a step must have arrived by then.
const DEADLINE: Duration = Duration::from_secs(30);
/// From one look into the outbox to the next.
const LOOK: Duration = Duration::from_millis(20);

/// What the second act leaves to the third.
struct Closing {
    /// The invoice that was paid.
    invoice: Value,
    /// What the purchase came to.
    purchase: String,
    today: Date,
}

/// The demo while it runs.
pub(super) struct Show {
    pub(super) output: Output,
    pub(super) desk: Desk,
    pub(super) made: Made,
    pub(super) base: String,
    pub(super) store: Arc<Store>,
    /// Where mail is written.
    pub(super) mails: PathBuf,
    /// Documents that the company has before anything is shown.
    pub(super) documents: Option<u32>,
    /// Whether it ends after the last act.
    pub(super) once: bool,
    /// The events that were awaited and came.
    pub(super) seen: HashSet<String>,
}

impl Show {
    pub(super) async fn play(mut self) -> Result<(), Failure> {
        let output = self.output;
        output.note(format!("The service runs at {}, a receiver at {}.", self.base, self.desk.url));
        let api = Api::new(self.base.clone(), self.made.token.clone(), self.made.account_id.to_string());
        if let Some(documents) = self.documents {
            let filled = Box::pin(data::fill(&api, documents, output)).await?;
            output.either(&filled, || filled.text());
            self.nothing_waits().await?;
        }
        let secret = api.subscribe(&self.desk.url).await?;
        self.desk.receiver.learn(secret);
        output
            .note("\nAct one: contacts are created, changed and merged through the API; deliveries arrive.");
        self.step(contacts::play(&api).await?).await?;
        output.note("\nAct two: the company sells, is paid, buys and depreciates; its books balance.");
        let closing = Box::pin(self.business(&api)).await?;
        output.note(
            "\nAct three: the bank tells who paid, the VAT of the quarter is computed, and a contract is signed.",
        );
        Box::pin(self.close(&api, &closing)).await?;
        if self.once {
            output.note(format!("\nall {} deliveries arrived and were verified", self.seen.len()));
            return Ok(());
        }
        self.invite();
        while let Some(receipt) = self.desk.receipts.recv().await {
            self.show(&receipt);
        }
        Err(Failure::new("demo_receiver", "the receiver stopped"))
    }

    /// Waits until no event of before is left, which would arrive at a receiver that subscribes.
    async fn nothing_waits(&self) -> Result<(), Failure> {
        let overview = self.store.database.queue_overview();
        while overview.depth(SystemClock.now()).await?.oldest_event.is_some() {
            sleep(LOOK).await;
        }
        Ok(())
    }

    async fn business(&mut self, api: &Api) -> Result<Closing, Failure> {
        if self.documents.is_none() {
            self.step(business::complete(api).await?).await?;
        }
        let (step, draft) = business::draft(api).await?;
        self.step(step).await?;
        let (step, invoice) = business::issue(api, &draft).await?;
        self.step(step).await?;
        self.step(business::pay(api, &invoice).await?).await?;
        let today = business::day_of(&invoice)?;
        let (step, Bought { asset, total }) = business::buy(api, today).await?;
        self.step(step).await?;
        let (step, month_end) = business::depreciate(api, &asset, today).await?;
        self.step(step).await?;
        self.step(balance::sheet(api, month_end).await?).await?;
        self.step(balance::verification(api).await?).await?;
        Ok(Closing { invoice, purchase: total, today })
    }

    async fn close(&mut self, api: &Api, closing: &Closing) -> Result<(), Failure> {
        let Closing { invoice, purchase, today } = closing;
        let (step, movements) = bank::statement(api, invoice, purchase, *today).await?;
        self.step(step).await?;
        for movement in &movements {
            self.step(bank::reconcile(api, movement, invoice).await?).await?;
        }
        self.step(vat::close(api, *today).await?).await?;
        self.step(vat::prepare(api, *today).await?).await?;
        let (step, sent) = contract::send(api, &id(invoice)?).await?;
        self.step(step).await?;
        self.step(contract::sign(&self.mails, &sent).await?).await?;
        let (number, key) = self.store.keys.seal_key();
        self.step(contract::sealed(api, &SealKey::new(number, *key), &sent).await?).await
    }

    /// Shows deliveries until each event of the step was verified.
    async fn step(&mut self, step: Step) -> Result<(), Failure> {
        if !self.output.is_json() {
            output::line("");
        }
        self.output.answer(&step.done);
        let deadline = Instant::now() + DEADLINE;
        let mut missing = step.events;
        while !missing.is_empty() {
            let Ok(Some(receipt)) = timeout_at(deadline, self.desk.receipts.recv()).await else {
                return Err(incomplete(&missing));
            };
            self.show(&receipt);
            if let Verdict::Refused(error) = receipt.verdict {
                return Err(Failure::new("demo_unverified", format!("a signature was refused: {error}")));
            }
            let expected = missing.iter().position(|event| event.is(&receipt));
            if let Some(at) = expected
                && self.seen.insert(receipt.event_id)
            {
                missing.remove(at);
            }
        }
        Ok(())
    }

    fn show(&self, receipt: &Receipt) {
        let output = self.output;
        output.either(receipt, || receipt.line(output));
    }

    fn invite(&self) {
        let Self { base, made, desk, output, .. } = self;
        if output.is_json() {
            output::line(
                serde_json::json!({"api": base, "token": made.token, "accountId": made.account_id, "receiver": desk.url})
                    .to_string(),
            );
            return;
        }
        let quiet = |text: &str| output.tone(Tone::Quiet, text);
        let company = made.account_id;
        output::line(format!(
            "\n{}\n  export TOKEN={}\n  export API={base} BOOKS={base}/books/{company}\n  get() {{ curl -s -H \
             \"Authorization: Bearer $TOKEN\" \"$@\"; }}\n\n{}\n  get $API/auth/whoami\n  get \"$API/contacts?limit=10\"\n  \
             get \"$API/billing?paymentStatus=unpaid&sort=-total&limit=10\"\n  get \
             \"$API/supplier-documents?limit=10\"\n  get \"$API/cases?limit=10\"\n  get $API/webhooks/subscriptions\n\n{}\n  \
             get \"$BOOKS/reports/balance-sheet?lang=en\"\n  get \"$BOOKS/reports/profit-and-loss?lang=en\"\n  get -H \
             'Accept: text/csv' \"$BOOKS/reports/trial-balance?nonZero=true\"\n  get $BOOKS/reports/aged-receivables\n  \
             get \"$BOOKS/reports/vat-register?side=output\"\n\n{}\n  get -H 'Content-Type: application/json' $API/contacts \
             \\\n    -d '{{\"kind\":\"organization\",\"legalName\":\"Luna SA\"}}'\n\n{}",
            quiet("# a token with every permission"),
            made.token,
            quiet("# lists to try"),
            quiet("# reports to try"),
            quiet("# a call that sends another webhook"),
            quiet("Deliveries are shown as they arrive. Ctrl-C ends the demo and removes its folder."),
        ));
    }
}

fn incomplete(missing: &[Expected]) -> Failure {
    let names: Vec<_> = missing.iter().map(Expected::kind).collect();
    let message = format!("{} did not arrive within {} s", names.join(", "), DEADLINE.as_secs());
    Failure::new("demo_incomplete", message)
        .hint("run `SVC_LOG=debug svc-server demo --once` and look at the log")
}
