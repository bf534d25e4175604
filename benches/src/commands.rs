//! What the program can be told to do, a file each.

mod authority;
mod charts;
mod client_disconnects;
mod embedder;
mod endurance;
mod expired_lease;
mod fair_shares;
mod growth;
mod guessing;
mod hostile_clients;
mod imports;
mod isolation;
mod kills;
mod numbers;
mod pages;
mod rates;
mod recovery;
mod scale;
mod throughput;
mod worker_isolation;
mod writers;

use std::process::ExitCode;

use clap::Subcommand;
use svc_benches::{fair_shares as fair, hostile_clients as clients, isolation as receivers};

/// One benchmark or proof. Ends with 1 when a bound is broken.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measures what the checks of a request cost beside a bare server.
    Authority,
    Charts(charts::Arguments),
    ClientDisconnects(client_disconnects::Arguments),
    Embedder(embedder::Arguments),
    Endurance(endurance::Arguments),
    ExpiredLease(expired_lease::Arguments),
    FairShares(fair_shares::Arguments),
    Growth(growth::Arguments),
    Guessing(guessing::Arguments),
    HostileClients(hostile_clients::Arguments),
    Imports(imports::Arguments),
    Isolation(isolation::Arguments),
    Kills(kills::Arguments),
    Numbers(numbers::Arguments),
    /// Measures the last page of a long list in first pages.
    Pages,
    Rates(rates::Arguments),
    Recovery(recovery::Arguments),
    Scale(scale::Arguments),
    Throughput(throughput::Arguments),
    WorkerIsolation(worker_isolation::Arguments),
    /// Measures what sharing commits gains when many write at once.
    Writers,
    /// Plays the loud company: a command starts the program once more so.
    #[command(name = fair::PLAY, hide = true)]
    PlayTheLoudCompany,
    /// Plays hostile clients: a command starts the program once more so.
    #[command(name = clients::PLAY, hide = true)]
    PlayHostileClients,
    /// Plays hostile receivers: a command starts the program once more so.
    #[command(name = receivers::PLAY, hide = true)]
    PlayHostileReceivers,
}

impl Command {
    pub(crate) fn start(self) -> ExitCode {
        match self {
            Self::Authority => authority::start(),
            Self::Charts(arguments) => charts::start(arguments),
            Self::ClientDisconnects(arguments) => client_disconnects::start(arguments),
            Self::Embedder(arguments) => embedder::start(arguments),
            Self::Endurance(arguments) => endurance::start(arguments),
            Self::ExpiredLease(arguments) => expired_lease::start(arguments),
            Self::FairShares(arguments) => fair_shares::start(arguments),
            Self::Growth(arguments) => growth::start(arguments),
            Self::Guessing(arguments) => guessing::start(arguments),
            Self::HostileClients(arguments) => hostile_clients::start(arguments),
            Self::Imports(arguments) => imports::start(arguments),
            Self::Isolation(arguments) => isolation::start(arguments),
            Self::Kills(arguments) => kills::start(arguments),
            Self::Numbers(arguments) => numbers::start(arguments),
            Self::Pages => pages::start(),
            Self::Rates(arguments) => rates::start(arguments),
            Self::Recovery(arguments) => recovery::start(arguments),
            Self::Scale(arguments) => scale::start(arguments),
            Self::Throughput(arguments) => throughput::start(arguments),
            Self::WorkerIsolation(arguments) => worker_isolation::start(arguments),
            Self::Writers => writers::start(),
            Self::PlayTheLoudCompany => played(fair::play),
            Self::PlayHostileClients => played(clients::play),
            Self::PlayHostileReceivers => played(receivers::play),
        }
    }
}

fn played(part: fn()) -> ExitCode {
    part();
    ExitCode::SUCCESS
}
