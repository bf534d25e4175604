//! `queue status`: what waits, what is late, and whose receivers hold it up.
//!
//! For the operator of the server in the middle of the night: one screen
//! that tells whether deliveries are late, and if so, whose. It reads the
//! database alone, so it tells the truth also when no server runs, and costs
//! the database as much with millions of deliveries as with none.

mod jobs;
mod report;
mod screen;

use std::io::{self, IsTerminal as _};
use std::pin::pin;
use std::time::Duration;

use clap::Args;
use tokio::time::sleep;

use self::report::Report;
use self::screen::{Screen, text};
use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::shutdown;

/// What has been due, or in the outbox, for longer is late: a server at work attempts at once.
pub(crate) const LATE: Duration = Duration::from_mins(1);
/// From one look to the next.
const EVERY: Duration = Duration::from_secs(1);

/// `queue status`
#[derive(Args, Debug)]
#[command(
    after_help = "In a terminal, the table is drawn anew every second until Ctrl-C; elsewhere it is printed once. Changes \
                  nothing, and works\nbeside a running server. Counts above 10,000 are not exact: ≥ is what was \
                  counted, ≈ what the database takes it for.\ndocs/operations.md tells what to do about what you see.\n\n\
                  Examples:\n  svc-server queue status\n  svc-server queue status --once --top 50\n  svc-server queue \
                  status --json"
)]
pub(crate) struct QueueStatus {
    /// Print one table and end
    #[arg(long)]
    once: bool,
    /// List so many receivers, those with the longest due deliveries first
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=200))]
    top: u32,
}

impl QueueStatus {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let done = if self.once || context.output.is_json() || !io::stdout().is_terminal() {
            self.print(&operator, context.output).await
        } else {
            self.watch(&operator, context.output).await
        };
        operator.close(done).await
    }

    async fn print(&self, operator: &Operator, output: Output) -> Result<(), Failure> {
        let report = Report::read(operator, self.top).await?;
        output.either(&report, || text(&report, output));
        Ok(())
    }

    /// Draws until Ctrl-C. The first look must succeed; a database that goes away later is waited for.
    async fn watch(&self, operator: &Operator, output: Output) -> Result<(), Failure> {
        let mut report = Report::read(operator, self.top).await?;
        let mut ended = pin!(shutdown::signalled()?);
        let mut screen = Screen::open();
        let mut trouble = None;
        loop {
            let mut frame = text(&report, output);
            if let Some(failure) = trouble {
                let failure: Failure = failure;
                frame.push_str("\n\n");
                frame.push_str(&output.tone(Tone::Bad, &format!("as of {}: {failure}", report.at)));
            }
            screen.draw(&frame);
            tokio::select! {
                _ = &mut ended => return Ok(()),
                () = sleep(EVERY) => {}
            }
            trouble = tokio::select! {
                _ = &mut ended => return Ok(()),
                look = Report::read(operator, self.top) => match look {
                    Ok(look) => {
                        report = look;
                        None
                    }
                    Err(failure) => Some(failure),
                },
            };
        }
    }
}
