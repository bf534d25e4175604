//! `demo`: the whole way of a change to a customer's server, on this machine.
//!
//! Nothing is staged: the same service that `serve` runs, its HTTP API, a
//! receiver that verifies each signature, and a folder that goes away at the end.

mod story;

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use clap::Args;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::{CancellationToken, DropGuard};

use self::story::{Api, Story};
use crate::commands::Context;
use crate::commands::bootstrap::{Bootstrap, Made};
use crate::commands::operator::Operator;
use crate::config::Settings;
use crate::config::sources::{Flag, Sources};
use crate::failure::Failure;
use crate::output::{self, Tone};
use crate::receiver::{Receipt, Receiver, Verdict};
use crate::service::{Roles, Service, address, serve};
use crate::shutdown;
use crate::store::{Schema, Store};
use crate::{logging, metric};

/// Deliveries must have arrived by then.
const DEADLINE: Duration = Duration::from_secs(30);

/// `demo`
#[derive(Args, Debug)]
#[command(
    after_help = "Settings files and variables are left aside, but for SVC_LOG.\n\nExamples:\n  svc-server demo\n  \
                        svc-server demo --once"
)]
pub(crate) struct Demo {
    /// End after the first deliveries: with 0 when each arrived and was verified
    #[arg(long)]
    once: bool,
    /// Address of the API
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

impl Demo {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let folder = tempfile::Builder::new()
            .prefix("svc-demo-")
            .tempdir()
            .map_err(|error| Failure::caused("demo_folder", "no temporary folder can be made", &error))?;
        let log = context.common.log.clone().or_else(|| std::env::var("SVC_LOG").ok());
        let settings = self.settings(folder.path(), log.as_deref())?;
        logging::start(&settings.log);
        let metrics = metric::install()?;
        let store = Store::open(&settings, Schema::Migrate).await?;
        let operator = Operator::at(Arc::new(store), settings.policy.clone());
        let made = Bootstrap::demonstration().make(&operator).await;
        let made = operator.close(made).await?;
        let desk = Desk::open().await?;
        let service = Service::start(&settings, Roles::All, metrics).await?;
        let base = format!("http://{}/api/v1", service.api.unwrap_or(self.listen));
        let show = Show { demo: self, context, desk, made, base };
        let output = context.output;
        let ended = shutdown::signalled()?;
        let shown = async {
            tokio::select! {
                outcome = show.play() => outcome,
                _ = ended => {
                    output.note("\nThe demo ends; its folder is removed.");
                    Ok(())
                }
            }
        };
        service.run_until(shown).await?
    }

    fn settings(&self, folder: &std::path::Path, log: Option<&str>) -> Result<Settings, Failure> {
        let database = format!("sqlite://{}", folder.join("svc.db").display());
        let flag = |key, value: &str| Flag { name: "demo", key, value: value.to_owned() };
        Settings::check(&Sources::isolated(vec![
            flag("database_url", &database),
            flag("listen", &self.listen.to_string()),
            flag("admin_listen", "127.0.0.1:0"),
            flag("webhooks.exempt_targets", "127.0.0.0/8"),
            flag("log", log.unwrap_or("warn")),
        ]))
    }
}

/// A receiver on a port of its own.
struct Desk {
    url: String,
    receiver: Arc<Receiver>,
    receipts: mpsc::UnboundedReceiver<Receipt>,
    /// The receiver ends when this is dropped.
    _running: DropGuard,
}

#[derive(Clone)]
struct Door {
    receiver: Arc<Receiver>,
    receipts: mpsc::UnboundedSender<Receipt>,
}

impl Desk {
    async fn open() -> Result<Self, Failure> {
        let failed = |error| Failure::caused("demo_port", "the receiver has no port", &error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
        let url = format!("http://{}/hook", address(&listener)?);
        let receiver = Arc::new(Receiver::default());
        let (sender, receipts) = mpsc::unbounded_channel();
        let door = Door { receiver: Arc::clone(&receiver), receipts: sender };
        let router = Router::new().route("/hook", post(take)).with_state(door);
        let asked = CancellationToken::new();
        let running = asked.clone().drop_guard();
        tokio::spawn(serve(listener, router, asked));
        Ok(Self { url, receiver, receipts, _running: running })
    }
}

async fn take(State(door): State<Door>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let receipt = door.receiver.receive(&headers, &body);
    let status = match receipt.verdict {
        Verdict::Verified => StatusCode::OK,
        Verdict::Refused(_) | Verdict::Unknown => StatusCode::BAD_REQUEST,
    };
    // The demo does not look any more when it is ending.
    drop(door.receipts.send(receipt));
    status
}

/// The demo while it runs.
struct Show<'a> {
    demo: Demo,
    context: &'a Context,
    desk: Desk,
    made: Made,
    base: String,
}

impl Show<'_> {
    async fn play(mut self) -> Result<(), Failure> {
        let output = self.context.output;
        output.note(format!("The service runs at {}, a receiver at {}.", self.base, self.desk.url));
        let api = Api::new(self.base.clone(), self.made.token.clone());
        let secret = api.subscribe(&self.desk.url).await?;
        self.desk.receiver.learn(secret);
        output.note("Contacts are created, changed and merged through the API; deliveries arrive:\n");
        let story = api.tell().await?;
        self.await_all(&story).await?;
        if self.demo.once {
            output.note(format!("\nall {} deliveries arrived and were verified", story.events.len()));
            return Ok(());
        }
        self.invite();
        while let Some(receipt) = self.desk.receipts.recv().await {
            self.show(&receipt);
        }
        Err(Failure::new("demo_receiver", "the receiver stopped"))
    }

    /// Shows deliveries until one of each expected event was verified.
    async fn await_all(&mut self, story: &Story) -> Result<(), Failure> {
        let deadline = Instant::now() + DEADLINE;
        let mut missing = story.events.clone();
        let mut seen = HashSet::new();
        while !missing.is_empty() {
            let Ok(Some(receipt)) = timeout_at(deadline, self.desk.receipts.recv()).await else {
                let names: Vec<_> = missing.iter().map(|(event, _)| *event).collect();
                return Err(Failure::new(
                    "demo_incomplete",
                    format!("{} did not arrive within {} s", names.join(", "), DEADLINE.as_secs()),
                )
                .hint("run `SVC_LOG=debug svc-server demo --once` and look at the log"));
            };
            self.show(&receipt);
            if let Verdict::Refused(error) = receipt.verdict {
                return Err(Failure::new("demo_unverified", format!("a signature was refused: {error}")));
            }
            let object = receipt.body.pointer("/data/id").and_then(|id| id.as_str()).unwrap_or_default();
            let expected = missing.iter().position(|(event, id)| *event == receipt.event && id == object);
            if let Some(at) = expected
                && seen.insert(receipt.event_id.clone())
            {
                missing.remove(at);
            }
        }
        Ok(())
    }

    fn show(&self, receipt: &Receipt) {
        let output = self.context.output;
        output.either(receipt, || receipt.line(output));
    }

    fn invite(&self) {
        let Self { base, made, desk, .. } = self;
        let output = self.context.output;
        if output.is_json() {
            output::line(
                serde_json::json!({"api": base, "token": made.token, "accountId": made.account_id, "receiver": desk.url})
                    .to_string(),
            );
            return;
        }
        let quiet = |text: &str| output.tone(Tone::Quiet, text);
        output::line(format!(
            "\n{}\n  export TOKEN={}\n  export API={base}\n\n{}\n  curl -s -H \"Authorization: Bearer $TOKEN\" \
             $API/auth/whoami\n  curl -s -H \"Authorization: Bearer $TOKEN\" \"$API/contacts?limit=10\"\n  curl -s -X \
             POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\\n    -d \
             '{{\"kind\":\"organization\",\"legalName\":\"Luna SA\"}}' $API/contacts\n  curl -s -H \"Authorization: Bearer \
             $TOKEN\" $API/webhooks/subscriptions\n\n{}",
            quiet("# a token with every permission"),
            made.token,
            quiet("# calls to try: the third one sends another webhook"),
            quiet("Deliveries are shown as they arrive. Ctrl-C ends the demo and removes its folder."),
        ));
    }
}
