//! The way from a command line to its command.

use crate::cli::{
    AccountCommand, AuditCommand, Cli, Command, GroupCommand, McpCommand, MemberCommand, QueueCommand,
    TokenCommand, UserCommand,
};
use crate::commands::carry_out::carry_out;
use crate::commands::change::Change;
use crate::commands::{Context, serve};
use crate::failure::Failure;
use crate::output::Output;

/// Runs the command that was asked for.
pub(crate) async fn run(cli: Cli, output: Output) -> Result<(), Failure> {
    let context = Context { common: cli.common, output };
    match cli.command.unwrap_or_else(|| Command::Serve(serve::Serve::default())) {
        Command::Serve(command) => command.run(&context).await,
        Command::Demo(command) => command.run(&context).await,
        Command::Bootstrap(command) => {
            carry_out(Change::Bootstrap(Box::new(command.with_password()?)), &context).await
        }
        Command::Account(command) => carry_out(account(command), &context).await,
        Command::Group(command) => carry_out(group(command), &context).await,
        Command::User(command) => carry_out(user(command)?, &context).await,
        Command::Member(command) => carry_out(member(command), &context).await,
        Command::Token(command) => token(command, &context).await,
        Command::Mcp(McpCommand::Connections(command)) => command.run(&context).await,
        Command::Mcp(McpCommand::Calls(command)) => command.run(&context).await,
        Command::Audit(AuditCommand::Verify(command)) => command.run(&context).await,
        Command::Audit(AuditCommand::Heads(command)) => command.run(&context).await,
        Command::Queue(QueueCommand::Status(command)) => command.run(&context).await,
        Command::Migrate(command) => command.run(&context).await,
        Command::Openapi(command) => command.run(&context),
        Command::Backup(command) => command.run(&context).await,
        Command::Doctor(command) => command.run(&context).await,
        Command::Verify(command) => command.run(&context),
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
        UserCommand::RemoveSecondFactor(command) => Change::UserRemoveSecondFactor(command),
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
    carry_out(change, context).await
}
