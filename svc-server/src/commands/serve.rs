//! `serve`: the API, the dispatcher and the workers in one process.

use clap::Args;
use serde_json::json;

use crate::commands::Context;
use crate::config::sources::Flag;
use crate::failure::Failure;
use crate::files;
use crate::memory;
use crate::metric;
use crate::service::{Roles, Service};
use crate::shutdown;

/// `serve`
#[derive(Args, Debug, Default)]
#[command(
    after_help = "SIGTERM or Ctrl-C ends it in good order: requests and attempts under way are finished first.\n\n\
                        Examples:\n  svc-server serve --listen 127.0.0.1:8080\n  svc-server serve --no-dispatch      # API \
                        nodes beside …\n  svc-server serve --dispatch-only    # … nodes that send webhooks (PostgreSQL)"
)]
pub(crate) struct Serve {
    /// Address of the API
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Address of /metrics, /healthz and /readyz
    #[arg(long, value_name = "ADDRESS:PORT")]
    admin_listen: Option<String>,
    /// Base of links
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Serve the API alone: webhooks, mail and jobs are for other servers
    #[arg(long, conflicts_with = "dispatch_only")]
    no_dispatch: bool,
    /// Send webhooks and mail, and run jobs and the notice folder, without serving the API
    #[arg(long)]
    dispatch_only: bool,
}

impl Serve {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let roles = self.roles();
        let settings = context.settings(self.flags())?;
        let ended = shutdown::signalled()?;
        files::raise_limit();
        memory::in_small_pages();
        let service = Service::start(&settings, roles, metric::install()?).await?;
        let base = service.api.map(|bound| settings.public_url(bound));
        let api = base.as_ref().map(|base| format!("{base}/api/v1"));
        // For the operator alone, so not for the log.
        let begin = base.zip(service.first_run.as_ref()).map(|(base, path)| format!("{base}{path}"));
        let (admin, listen) = (format!("http://{}", service.admin), service.api);
        let address = listen.map_or_else(|| "none".to_owned(), |address| address.to_string());
        tracing::info!(listen = address, admin, "serving");
        let ready = json!({"listen": listen, "api": api, "admin": admin, "firstRun": begin});
        context.output.either(&ready, || {
            let begin = begin.map_or_else(String::new, |link| {
                format!("\nbegin  {link}\n       (there is no company yet: this link founds the first one, in a browser)")
            });
            match (api, listen) {
                (Some(api), Some(listen)) => format!("API    {api} (listening on {listen})\nadmin  {admin}{begin}"),
                (Some(_), None) | (None, _) => format!("sending webhooks only\nadmin  {admin}"),
            }
        });

        let signal = service.run_until(ended).await?;
        tracing::info!(signal, "ended in good order");
        Ok(())
    }

    fn roles(&self) -> Roles {
        match (self.no_dispatch, self.dispatch_only) {
            (true, _) => Roles::ApiOnly,
            (false, true) => Roles::DispatchOnly,
            (false, false) => Roles::All,
        }
    }

    fn flags(self) -> Vec<Flag> {
        [
            ("--listen", "listen", self.listen),
            ("--admin-listen", "admin_listen", self.admin_listen),
            ("--public-url", "public_url", self.public_url),
        ]
        .into_iter()
        .filter_map(|(name, key, value)| value.map(|value| Flag { name, key, value }))
        .collect()
    }
}
