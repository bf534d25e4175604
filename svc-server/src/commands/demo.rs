//! `demo`: the whole way of a change to a customer's server, on this machine.
//!
//! Nothing is staged: the same service that `serve` runs, its HTTP API, a
//! receiver that verifies each signature, and a folder that goes away at the end.

mod api;
mod balance;
mod business;
mod calendar;
mod closing;
mod contacts;
mod data;
mod desk;
mod show;
mod story;

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;

use self::desk::Desk;
use self::show::Show;
use crate::commands::Context;
use crate::commands::bootstrap::Bootstrap;
use crate::commands::operator::Operator;
use crate::config::Settings;
use crate::config::sources::{Flag, Sources};
use crate::failure::Failure;
use crate::service::{Roles, Service};
use crate::shutdown;
use crate::store::{Schema, Store};
use crate::{logging, metric};

/// `demo`
#[derive(Args, Debug)]
#[command(
    after_help = "Settings files and variables are left aside, but for SVC_LOG. With --data the demo has no limits of \
                  requests.\n\nExamples:\n  svc-server demo\n  svc-server demo --once\n  svc-server demo --data 1000\n  \
                  svc-server demo --data 300 --once --json"
)]
pub(crate) struct Demo {
    /// End after the last act: with 0 when each delivery arrived and was verified
    #[arg(long)]
    once: bool,
    /// First fill the company with so many documents of the year, 1 to 100000
    #[arg(long, value_name = "DOCUMENTS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    data: Option<u32>,
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
        let output = context.output;
        let (documents, once, seen) = (self.data, self.once, HashSet::new());
        let store = service.store();
        let mails = folder.path().join("mail");
        let show = Show { output, desk, made, base, store, mails, documents, once, seen };
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
        let mut flags = vec![
            flag("database_url", &database),
            flag("listen", &self.listen.to_string()),
            flag("admin_listen", "127.0.0.1:0"),
            flag("webhooks.exempt_targets", "127.0.0.0/8"),
            flag("mail.folder", &folder.join("mail").display().to_string()),
            flag("log", log.unwrap_or("warn")),
        ];
        if self.data.is_some() {
            flags.push(flag("limits.per_minute", "1000000"));
            flags.push(flag("limits.per_month", "1000000000"));
        }
        Settings::check(&Sources::isolated(flags))
    }
}
