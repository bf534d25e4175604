//! The MCP server as its clients see it: requests in, whole answers out, over a SQLite file.

#[cfg(test)]
mod authority;
#[cfg(test)]
mod commits;
#[cfg(test)]
mod elicitation;
#[cfg(test)]
mod entrance;
#[cfg(test)]
mod files;
#[cfg(test)]
mod records;
#[cfg(test)]
mod signing;
#[cfg(test)]
mod taxes;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod uploads;
#[cfg(test)]
mod world;
