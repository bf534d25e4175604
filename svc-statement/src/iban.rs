//! Account numbers.

use iban::IbanLike;

/// Weights of the check digits of a Spanish account, from the first of ten digits.
const WEIGHTS: [u32; 10] = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];

/// The IBAN without spaces, if its check digits and length are right.
pub(crate) fn verified(text: &str) -> Option<String> {
    let compact: String = text
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '-' | '\u{a0}'))
        .take(35)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    let iban: iban::Iban = compact.parse().ok()?;
    Some(iban.electronic_str().to_owned())
}

/// The twenty digits of a Spanish account (CCC): bank and office, two check digits, account.
///
/// Each check digit is of ten digits, weighted, modulo 11; the first of bank and office after `00`.
pub(crate) fn spanish_account(bank: &str, office: &str, account: &str) -> String {
    let first = check_digit(&format!("00{bank}{office}"));
    let second = check_digit(account);
    format!("{bank}{office}{first}{second}{account}")
}

/// The IBAN of the twenty digits of a Spanish account (ISO 13616: 98 less the remainder of 97).
pub(crate) fn of_spanish_account(digits: &str) -> String {
    // E is 14 and S is 28; 00 stands for the check digits that are looked for.
    let rest = digits
        .bytes()
        .chain(*b"142800")
        .fold(0_u32, |rest, digit| (rest * 10 + u32::from(digit.wrapping_sub(b'0'))) % 97);
    format!("ES{:02}{digits}", 98 - rest)
}

fn check_digit(ten: &str) -> u32 {
    let sum: u32 =
        ten.chars().zip(WEIGHTS).map(|(digit, weight)| digit.to_digit(10).unwrap_or(0) * weight).sum();
    match 11 - sum % 11 {
        11 => 0,
        10 => 1,
        digit => digit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digits_of_an_account_are_found() {
        let account = spanish_account("2100", "0418", "0200051332");
        assert_eq!(account, "21000418450200051332");
        assert_eq!(of_spanish_account(&account), "ES9121000418450200051332");
    }

    #[test]
    fn every_number_that_is_made_is_verified() {
        for number in 0..500_u64 {
            let account =
                spanish_account("0182", &format!("{number:04}"), &format!("{:010}", number * 7_919_311));
            let iban = of_spanish_account(&account);
            assert_eq!(verified(&iban), Some(iban.clone()), "{iban}");
        }
    }

    #[test]
    fn spaces_do_not_matter_and_wrong_digits_do() {
        assert_eq!(verified("es91 2100 0418 4502 0005 1332").as_deref(), Some("ES9121000418450200051332"));
        assert_eq!(verified("ES9121000418450200051333"), None);
        assert_eq!(verified("Ñ"), None);
    }
}
