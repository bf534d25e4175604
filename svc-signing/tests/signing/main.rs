//! Files of companies, from their upload to their seal.

#[cfg(test)]
mod files;
#[cfg(test)]
mod mail;
#[cfg(test)]
mod seal;
#[cfg(test)]
mod world;
