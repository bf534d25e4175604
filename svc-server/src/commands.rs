//! The commands, a file for each, and the way to them.

pub(crate) mod account_api_access;
pub(crate) mod account_create;
pub(crate) mod audit_heads;
pub(crate) mod audit_verify;
pub(crate) mod backup;
pub(crate) mod bootstrap;
pub(crate) mod change;
pub(crate) mod company;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod group_add;
pub(crate) mod group_create;
pub(crate) mod listen;
pub(crate) mod member_add;
pub(crate) mod member_remove;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod operator;
pub(crate) mod password;
pub(crate) mod queue_status;
mod refusal;
pub(crate) mod serve;
pub(crate) mod token_change;
pub(crate) mod token_create;
pub(crate) mod token_list;
pub(crate) mod token_rotate;
pub(crate) mod token_update;
pub(crate) mod user_create;
pub(crate) mod user_set_password;

use crate::cli::{
    AccountCommand, AuditCommand, Cli, Command, Common, GroupCommand, MemberCommand, QueueCommand,
    TokenCommand, UserCommand,
};
use crate::commands::change::Change;
use crate::config::Settings;
use crate::config::sources::{Flag, Sources};
use crate::failure::Failure;
use crate::logging;
use crate::output::Output;

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

/// Runs the command that was asked for.
pub(crate) async fn run(cli: Cli, output: Output) -> Result<(), Failure> {
    let context = Context { common: cli.common, output };
    match cli.command.unwrap_or_else(|| Command::Serve(serve::Serve::default())) {
        Command::Serve(command) => command.run(&context).await,
        Command::Demo(command) => command.run(&context).await,
        Command::Bootstrap(command) => {
            change::run(Change::Bootstrap(Box::new(command.with_password()?)), &context).await
        }
        Command::Account(command) => change::run(account(command), &context).await,
        Command::Group(command) => change::run(group(command), &context).await,
        Command::User(command) => change::run(user(command)?, &context).await,
        Command::Member(command) => change::run(member(command), &context).await,
        Command::Token(command) => token(command, &context).await,
        Command::Audit(AuditCommand::Verify(command)) => command.run(&context).await,
        Command::Audit(AuditCommand::Heads(command)) => command.run(&context).await,
        Command::Queue(QueueCommand::Status(command)) => command.run(&context).await,
        Command::Migrate(command) => command.run(&context).await,
        Command::Openapi(command) => command.run(&context),
        Command::Backup(command) => command.run(&context).await,
        Command::Doctor(command) => command.run(&context).await,
        Command::Listen(command) => command.run(&context).await,
    }
}

fn account(command: AccountCommand) -> Change {
    match command {
        AccountCommand::Create(command) => Change::AccountCreate(command),
        AccountCommand::ApiAccess(command) => Change::AccountApiAccess(command),
    }
}

fn group(command: GroupCommand) -> Change {
    match command {
        GroupCommand::Create(command) => Change::GroupCreate(command),
        GroupCommand::Add(command) => Change::GroupAdd(command),
    }
}

fn user(command: UserCommand) -> Result<Change, Failure> {
    Ok(match command {
        UserCommand::Create(command) => Change::UserCreate(command.with_password()?),
        UserCommand::SetPassword(command) => Change::UserSetPassword(command.with_password()?),
    })
}

fn member(command: MemberCommand) -> Change {
    match command {
        MemberCommand::Add(command) => Change::MemberAdd(command),
        MemberCommand::Remove(command) => Change::MemberRemove(command),
    }
}

async fn token(command: TokenCommand, context: &Context) -> Result<(), Failure> {
    let change = match command {
        TokenCommand::List(command) => return command.run(context).await,
        TokenCommand::Create(command) => Change::TokenCreate(command),
        TokenCommand::Update(command) => Change::TokenUpdate(command),
        TokenCommand::Disable(command) => Change::TokenDisable(command),
        TokenCommand::Enable(command) => Change::TokenEnable(command),
        TokenCommand::Revoke(command) => Change::TokenRevoke(command),
        TokenCommand::Rotate(command) => Change::TokenRotate(command),
    };
    change::run(change, context).await
}
