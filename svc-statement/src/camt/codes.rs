//! What kind of movement an entry is (`BkTxCd`).

use super::walk::Walk;
use crate::error::ReadError;
use crate::text;

/// `PMNT-RCDT-ESCT` from domain, family and sub-family, else the code of the bank.
pub(super) fn read(walk: &mut Walk<'_>) -> Result<Option<String>, ReadError> {
    let (mut domain, mut own) = (None, None);
    while let Some(name) = walk.next()? {
        match name {
            "Domn" => domain = self::domain(walk)?,
            "Prtry" => own = walk.find("Cd", &[])?,
            _ => walk.skip()?,
        }
    }
    Ok(domain.or(own).as_deref().and_then(text::short))
}

fn domain(walk: &mut Walk<'_>) -> Result<Option<String>, ReadError> {
    let (mut code, mut family, mut sub) = (None, None, None);
    while let Some(name) = walk.next()? {
        match name {
            "Cd" => code = Some(walk.text()?),
            "Fmly" => {
                while let Some(name) = walk.next()? {
                    match name {
                        "Cd" => family = Some(walk.text()?),
                        "SubFmlyCd" => sub = Some(walk.text()?),
                        _ => walk.skip()?,
                    }
                }
            }
            _ => walk.skip()?,
        }
    }
    let parts: Vec<String> = [code, family, sub].into_iter().flatten().collect();
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    Ok(if parts.is_empty() { None } else { Some(parts.join("-")) })
}
