//! A server stopped past its leases, see [`svc_benches::faults::expired_lease`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;

use clap::Args;
use svc_benches::faults::{Common, cluster, command, expired_lease};

/// Stops a server in the middle of its attempts for longer than its leases hold.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Subscriptions; the stopped server has four attempts under way for each.
    #[arg(long, default_value_t = 16)]
    subscriptions: u16,
}

pub(crate) fn start(Arguments { common, subscriptions }: Arguments) -> ExitCode {
    command(&common, async {
        let cluster = cluster("");
        expired_lease::run(&common.server(), &cluster.database(), subscriptions, common.seed).await
    })
}
