//! What every command takes and works with.

use std::path::PathBuf;

use clap::Args;

use crate::config::Settings;
use crate::config::sources::{Flag, Sources};
use crate::failure::Failure;
use crate::logging;
use crate::output::Output;

/// What every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// Settings file [default: svc.toml, when it is there]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/NAME`
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) database_url: Option<String>,
    /// Filter of the log: `info`, `svc_webhooks=debug,warn`
    #[arg(long, value_name = "FILTER", global = true)]
    pub(crate) log: Option<String>,
    /// Print JSON, errors too
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Common {
    /// The settings among these flags.
    pub(crate) fn flags(&self) -> Vec<Flag> {
        [("--database-url", "database_url", &self.database_url), ("--log", "log", &self.log)]
            .into_iter()
            .filter_map(|(name, key, value)| value.clone().map(|value| Flag { name, key, value }))
            .collect()
    }
}

/// What a command works with.
#[derive(Debug)]
pub(crate) struct Context {
    /// What every command takes.
    pub(crate) common: Common,
    /// Where it prints.
    pub(crate) output: Output,
}

impl Context {
    /// The settings of all sources, with the command's own flags on top; starts the log.
    pub(crate) fn settings(&self, flags: Vec<Flag>) -> Result<Settings, Failure> {
        let settings = Settings::check(&self.sources(flags)?)?;
        logging::start(&settings.log);
        Ok(settings)
    }

    /// What all sources say.
    pub(crate) fn sources(&self, flags: Vec<Flag>) -> Result<Sources, Failure> {
        // A variable that is not Unicode cannot be one of ours.
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let all = self.common.flags().into_iter().chain(flags).collect();
        Sources::read(self.common.config.as_deref(), variables, all)
    }
}
