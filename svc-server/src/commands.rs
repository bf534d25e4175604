//! The commands, a file for each.

pub(crate) mod account_api_access;
pub(crate) mod account_create;
pub(crate) mod audit_heads;
pub(crate) mod audit_verify;
pub(crate) mod backup;
pub(crate) mod bootstrap;
pub(crate) mod carry_out;
pub(crate) mod change;
pub(crate) mod company;
mod context;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod group_add;
pub(crate) mod group_create;
pub(crate) mod listen;
pub(crate) mod mcp_calls;
pub(crate) mod mcp_connections;
pub(crate) mod member_add;
pub(crate) mod member_remove;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod operator;
mod parsed;
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
pub(crate) mod user_remove_second_factor;
pub(crate) mod user_set_password;

pub(crate) use self::context::{Common, Context};
