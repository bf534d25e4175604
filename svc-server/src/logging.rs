//! The log: lines for people in a terminal, JSON lines elsewhere, on standard error.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;

/// The library of the protocol of assistants tells three lines of each call at `info`, and whole messages at `debug`.
const QUIET: &str = "rmcp=warn";

/// Starts the log with a checked filter; a second call changes nothing.
pub(crate) fn start(filter: &str) {
    let filter = match EnvFilter::new(filter) {
        few if few.max_level_hint().is_some_and(|most| most <= LevelFilter::WARN) => few,
        // What comes later counts more: a filter that names the library has its way.
        _ => EnvFilter::new(format!("{QUIET},{filter}")),
    };
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let log = fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = if io::stdout().is_terminal() {
        log.with_ansi(colour && io::stderr().is_terminal()).with_target(false).try_init()
    } else {
        log.json().flatten_event(true).try_init()
    };
    drop(started);
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a task of the server panicked: {}", message(panic));
    }));
}

fn message(panic: &std::panic::PanicHookInfo<'_>) -> String {
    panic.payload_as_str().unwrap_or("no message").to_owned()
}
