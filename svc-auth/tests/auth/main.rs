//! The rules of tokens against storage in memory: every check and its order,
//! the cache by a clock moved by hand, and the life of a token.

#[cfg(test)]
mod admit;
#[cfg(test)]
mod again;
#[cfg(test)]
mod cache;
#[cfg(test)]
mod change;
#[cfg(test)]
mod create;
#[cfg(test)]
mod expose;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod groups;
#[cfg(test)]
mod leased;
#[cfg(test)]
mod life;
#[cfg(test)]
mod marked;
#[cfg(test)]
mod propagation;
#[cfg(test)]
mod scope;
#[cfg(test)]
mod sight;
#[cfg(test)]
mod stand_alone;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod test_app;
