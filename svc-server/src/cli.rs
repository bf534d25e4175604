//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{self, Common};

/// Business administration as a service: a JSON API and signed webhooks that are never lost.
#[derive(Debug, Parser)]
#[command(
    name = "svc-server",
    version,
    max_term_width = 100,
    subcommand_required = false,
    after_help = "Without a command, the server serves. Settings come from svc.toml, then SVC_* variables, then \
                  flags;\n`svc-server doctor` lists them.\n\nExamples:\n  svc-server demo\n  svc-server bootstrap \
                  --legal-name 'Ferretería Sol SL' --email ana@example.com\n  svc-server serve --listen \
                  127.0.0.1:8080"
)]
pub(crate) struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub(crate) common: Common,
    /// The command; `serve` when none is named.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What the server can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API, and send webhooks
    Serve(commands::serve::Serve),
    /// Show the whole way of a change to a verified webhook, in a throw-away folder
    Demo(commands::demo::Demo),
    /// Make the first company with its holder and a Full token
    Bootstrap(Box<commands::bootstrap::Bootstrap>),
    /// Companies
    #[command(subcommand)]
    Account(AccountCommand),
    /// Groups of companies
    #[command(subcommand)]
    Group(GroupCommand),
    /// People
    #[command(subcommand)]
    User(UserCommand),
    /// Who is what in a company
    #[command(subcommand)]
    Member(MemberCommand),
    /// API tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Assistants: what people let them do, and what they called
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Who changed credentials, memberships and subscriptions
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Webhooks that wait
    #[command(subcommand)]
    Queue(QueueCommand),
    /// Bring the schema of the database up to date
    Migrate(commands::migrate::Migrate),
    /// Print the OpenAPI 3.1 document
    Openapi(commands::openapi::Openapi),
    /// Copy the SQLite database to a file
    Backup(commands::backup::Backup),
    /// Check settings, key and database
    Doctor(commands::doctor::Doctor),
    /// Verify sealed PDF files: what people signed, and that no byte was changed
    Verify(commands::verify::Verify),
    /// Receive webhooks, verify them and print them
    Listen(commands::listen::Listen),
}

/// `account …`
#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Found a company with its holder
    Create(Box<commands::account_create::Create>),
    /// Switch a company's access to the API on or off
    ApiAccess(commands::account_api_access::ApiAccess),
}

/// `group …`
#[derive(Debug, Subcommand)]
pub(crate) enum GroupCommand {
    /// Make a group below a parent company
    Create(commands::group_create::Create),
    /// Add a company to a group
    Add(commands::group_add::Add),
}

/// `user …`
#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Add a person
    Create(commands::user_create::Create),
    /// Give a person another password
    SetPassword(commands::user_set_password::SetPassword),
    /// End the second factor of a person who has lost the device
    RemoveSecondFactor(commands::user_remove_second_factor::RemoveSecondFactor),
}

/// `member …`
#[derive(Debug, Subcommand)]
pub(crate) enum MemberCommand {
    /// Give a person a role in a company
    Add(commands::member_add::Add),
    /// End a person's membership of a company
    Remove(commands::member_remove::Remove),
}

/// `mcp …`
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List the connections of assistants
    Connections(commands::mcp_connections::Connections),
    /// List the last calls of tools with a credential
    Calls(commands::mcp_calls::Calls),
}

/// `token …`
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token; its value is shown once
    Create(Box<commands::token_create::Create>),
    /// List tokens
    List(commands::token_list::List),
    /// Change what a token is called and may do
    Update(commands::token_update::Update),
    /// Switch a token off; its configuration is kept
    Disable(commands::token_change::Named),
    /// Switch a token on again
    Enable(commands::token_change::Named),
    /// Stop a token for ever
    Revoke(commands::token_change::Named),
    /// Give a token a new value; the old one stops working
    Rotate(commands::token_rotate::Rotate),
}

/// `audit …`
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Find out whether the logs are the ones that were written
    Verify(commands::audit_verify::Verify),
    /// Print the newest record of each log, to be kept elsewhere
    Heads(commands::audit_heads::Heads),
}

/// `queue …`
#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Show what waits, what is late, and whose receivers hold it up
    Status(commands::queue_status::QueueStatus),
}
