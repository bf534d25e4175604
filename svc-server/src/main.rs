//! The reference server: configuration, wiring, commands and worker loops.
//!
//! Everything that has a rule lives in the crates below; here it meets the
//! operating system: settings, sockets, signals, the clock.

mod admin_port;
mod admin_socket;
mod budgets;
mod cli;
mod client;
mod client_documents;
mod commands;
mod config;
mod dispatch;
mod failure;
mod files;
mod first_run;
mod logging;
mod memory;
mod metric;
mod notice_folder;
mod output;
mod read_authority;
mod receiver;
mod sealer;
mod service;
mod shutdown;
mod store;
mod tls;
mod wiring;
mod workers;

use std::process::ExitCode;

use clap::Parser as _;

use crate::failure::Failure;
use crate::output::Output;

/// Every request makes and drops some dozens of small things: this is where it is quickest.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    let output = Output::new(cli.common.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return ended(output, &Failure::caused("runtime", "no worker threads can be started", &error));
        }
    };
    match runtime.block_on(dispatch::run(cli, output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ended(output, &failure),
    }
}

fn ended(output: Output, failure: &Failure) -> ExitCode {
    output.failure(failure);
    ExitCode::from(failure.exit_code())
}

/// What is wrong with the command line, in one line: the first paragraph, whose further lines name the arguments
/// that it is about.
fn usage_message(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let named: Vec<_> = lines.collect();
    if named.is_empty() { first } else { format!("{first} {}", named.join(", ")) }
}

/// A command line that is wrong, or that asks for help.
fn refused(error: &clap::Error) -> ExitCode {
    // The line was not parsed, so the flag is looked for by hand.
    let json = std::env::args_os().any(|argument| argument == "--json");
    if json && error.use_stderr() {
        let message = usage_message(&error.render().to_string());
        return ended(Output::new(true), &Failure::usage("usage", message).hint("see --help"));
    }
    // A terminal that went away cannot be told so.
    drop(error.print());
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(arguments: &[&str]) -> String {
        let refused = cli::Cli::try_parse_from([&["svc-server"], arguments].concat()).expect_err("refused");
        usage_message(&refused.render().to_string())
    }

    #[test]
    fn a_usage_error_names_every_argument_that_is_missing_in_one_line() {
        let missing = message(&["bootstrap"]);
        assert!(missing.contains("--legal-name <") && missing.contains(", --email <"), "{missing}");
        assert!(!missing.contains('\n') && !missing.contains("error:"), "{missing}");
        let unknown = message(&["serve", "--colour"]);
        assert!(unknown.contains("'--colour'"), "{unknown}");
        assert!(message(&["dance"]).contains("'dance'"));
    }
}
