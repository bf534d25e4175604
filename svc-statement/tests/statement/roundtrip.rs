//! Any statement that is written is read as it was.

use proptest::prelude::*;
use svc_statement::{Movement, Statement, Warning};

use crate::any::statement;
use crate::read;
use crate::writers::camt::{Version, message, statement as camt};
use crate::writers::{csv, n43};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn n43_is_read_as_it_was_written(mut statements in prop::collection::vec(statement(), 1..4)) {
        let file = n43::file(&statements);
        let mut position = 0;
        for statement in &mut statements {
            position += 1;
            for movement in &mut statement.movements {
                position += 1;
                movement.position = position;
                position += u32::from(!movement.description.is_empty());
                movement.counterparty_name = None;
                movement.counterparty_iban = None;
                movement.references.truncate(2);
            }
            position += 1;
        }
        prop_assert_eq!(read(file.as_bytes()), Ok(statements.clone()));
        let latin: Vec<u8> = file.chars().map(|letter| u8::try_from(letter).expect("Latin-1")).collect();
        prop_assert_eq!(read(&latin), Ok(statements));
    }

    #[test]
    fn camt_is_read_as_it_was_written(mut statement in statement(), old in any::<bool>()) {
        let version = if old { Version::V02 } else { Version::V08 };
        let file = message(version, &camt(version, &statement));
        statement.account.other = None;
        for (position, movement) in (1..).zip(&mut statement.movements) {
            movement.position = position;
        }
        prop_assert_eq!(read(file.as_bytes()), Ok(vec![statement]));
    }

    #[test]
    fn csv_is_read_as_it_was_written(mut statement in statement(), dialect in csv::dialect()) {
        prop_assume!(!statement.movements.is_empty());
        statement.movements.sort_by_key(|movement| movement.booking_date);
        let file = dialect.table(&statement);
        let statements = read(file.as_bytes());
        let statements = statements.map_err(|error| TestCaseError::fail(format!("{error}\n{file}")))?;
        let [found] = statements.as_slice() else { return Err(TestCaseError::fail("one statement")) };
        // Which end is the newest shows by balances and dates; a single movement has no end.
        prop_assert_eq!(found.opening, statement.opening);
        prop_assert_eq!(found.closing, statement.closing);
        prop_assert_eq!(plain(found), plain(&statement));
        prop_assert!(found.warnings.iter().all(|warning| *warning == Warning::DayFirstAssumed));
    }
}

/// What a table keeps of movements.
fn plain(statement: &Statement) -> Vec<Movement> {
    let keep = |movement: &Movement| {
        let mut kept = Movement::new(0, movement.booking_date, movement.value_date, movement.amount);
        kept.description.clone_from(&movement.description);
        kept.counterparty_name.clone_from(&movement.counterparty_name);
        kept.counterparty_iban.clone_from(&movement.counterparty_iban);
        kept.references = movement.references.iter().take(1).cloned().collect();
        kept
    };
    statement.movements.iter().map(keep).collect()
}
