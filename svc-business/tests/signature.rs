//! The life of envelopes, without a storage.

#[cfg(test)]
mod signature {
    mod codes;
    mod life;
    mod model;
    mod properties;
}
