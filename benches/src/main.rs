//! The benchmarks and proofs of this crate as one program, see the library beside it.

mod commands;

use std::process::ExitCode;

use clap::Parser;

use self::commands::Command;

/// Measures the service and the crates, and proves what they promise when something breaks.
#[derive(Parser)]
#[command(name = "svc-benches")]
struct Program {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    Program::parse().command.start()
}
