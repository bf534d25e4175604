use proptest::prelude::*;

use super::*;

fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

#[test]
fn a_code_is_1_to_12_digits() {
    for text in ["", "0", "0430", "43a", "４３０", "1234567890123", " 430", "-1"] {
        assert_eq!(text.parse::<AccountCode>(), Err(AccountCodeError::Format), "{text}");
    }
    assert_eq!(code("123456789012").len(), 12);
    assert_eq!(code("4300000").group(), 4);
}

#[test]
fn a_postable_code_has_full_length() {
    let seven = CodeLength::default();
    assert_eq!(code("430").padded(seven), Ok(code("4300000")));
    assert_eq!(code("4300001").padded(seven), Ok(code("4300001")));
    assert_eq!(code("43000001").padded(seven), Err(AccountCodeError::TooLong { most: 7 }));
    assert!(code("4300000").is_postable(seven));
    assert!(!code("430").is_postable(seven));
    assert!(code("123456789012").is_postable(CodeLength::new(12).expect("in range")));
}

#[test]
fn codes_of_books_have_6_to_12_digits() {
    assert_eq!(CodeLength::default().digits(), 7);
    for digits in [0, 5, 13] {
        assert_eq!(CodeLength::new(digits), Err(CodeLengthError));
    }
}

#[test]
fn the_first_digits_say_the_type() {
    for (digits, wanted) in [
        ("1000000", AccountType::Equity),
        ("1290000", AccountType::Equity),
        ("1700000", AccountType::Liability),
        ("2810000", AccountType::Asset),
        ("4070000", AccountType::Asset),
        ("4300007", AccountType::Asset),
        ("4380000", AccountType::Liability),
        ("4700000", AccountType::Asset),
        ("4751000", AccountType::Liability),
        ("5230000", AccountType::Liability),
        ("5550000", AccountType::Liability),
        ("5720000", AccountType::Asset),
        ("6290000", AccountType::Expense),
        ("7050000", AccountType::Income),
    ] {
        assert_eq!(AccountType::of(code(digits)), wanted, "{digits}");
    }
}

#[test]
fn only_groups_1_4_and_5_can_be_of_another_type() {
    let asset = Some(AccountType::Asset);
    assert_eq!(AccountType::overridden(code("5550000"), asset), Ok(AccountType::Asset));
    assert_eq!(AccountType::overridden(code("5720000"), asset), Ok(AccountType::Asset));
    let refused = OverrideError { of_code: AccountType::Expense };
    assert_eq!(AccountType::overridden(code("6290000"), asset), Err(refused));
    // An account of a balance sheet cannot become one that a year closes.
    let refused = OverrideError { of_code: AccountType::Liability };
    assert_eq!(AccountType::overridden(code("5550000"), Some(AccountType::Income)), Err(refused));
}

#[test]
fn what_takes_away_grows_on_the_other_side() {
    for (digits, wanted) in [
        ("2170000", NormalBalance::Debit),
        ("2817000", NormalBalance::Credit),
        ("4300000", NormalBalance::Debit),
        ("4900000", NormalBalance::Credit),
        ("7000000", NormalBalance::Credit),
        ("7080000", NormalBalance::Debit),
        ("6080000", NormalBalance::Credit),
        ("1210000", NormalBalance::Debit),
    ] {
        let code = code(digits);
        assert_eq!(NormalBalance::of(code, AccountType::of(code)), wanted, "{digits}");
    }
}

proptest! {
    #[test]
    fn every_code_survives_its_text_and_sorts_as_its_text(left in "[1-9][0-9]{0,11}", right in "[1-9][0-9]{0,11}") {
        prop_assert_eq!(code(&left).to_string(), left.clone());
        prop_assert_eq!(code(&left).cmp(&code(&right)), left.cmp(&right));
        prop_assert_eq!(code(&left).len(), left.len());
    }

    #[test]
    fn a_padded_code_is_postable_and_under_its_heading(digits in "[1-9][0-9]{0,5}", length in 6_u8..=12) {
        let length = CodeLength::new(length).expect("in range");
        let padded = code(&digits).padded(length).expect("it fits");
        prop_assert!(padded.is_postable(length));
        prop_assert!(padded.is_under(code(&digits)));
    }
}
