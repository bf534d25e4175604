//! Unique texts are put in wherever data goes in, and searched for wherever it may come out.
//!
//! Personal data and secrets must be in no log, no metric, no error body and no
//! webhook; secrets are not in the database either, except sealed or hashed.
//! The search is proved on planted texts, and on what is rightly there.

mod places;
mod story;
mod texts;

use self::places::Places;
use self::story::Story;
use self::texts::Canaries;
use crate::harness::Site;

#[test]
fn personal_data_and_secrets_are_nowhere_that_they_do_not_belong() {
    for level in ["info", "trace"] {
        let canaries = Canaries::new(level);
        let places = Story::new(&canaries, level).play();
        prove_the_search(&canaries, &places);
        places.assert_logged_at(level);
        let leaks = canaries.leaks(&places);
        println!(
            "log at {level}: {} texts in {} forms were searched for in {} places of {} bytes: {} found",
            canaries.len(),
            Canaries::FORMS,
            places.len(),
            places.bytes(),
            leaks.len()
        );
        assert!(leaks.is_empty(), "at {level}: {leaks:#?}");
    }
}

/// A search that finds nothing proves nothing: it must find what is there.
fn prove_the_search(canaries: &Canaries, places: &Places) {
    for planted in canaries.planted(places) {
        let leaks = canaries.leaks(&planted.places);
        assert!(
            leaks.iter().any(|leak| leak.starts_with(&planted.expected)),
            "planted, and not found: {}",
            planted.expected
        );
    }
    // What was put in has indeed arrived, in the very bytes that are searched.
    assert!(places.database_holds(canaries.personal("given name")), "personal data is in the database");
    places.assert_complete();
}

#[test]
fn a_refused_command_does_not_repeat_the_password_it_was_given() {
    let site = Site::new();
    site.bootstrap();
    for password in ["kanari", &format!("kanari{}", "x".repeat(200)), &format!("kanari{}", "x".repeat(9_000))]
    {
        for arguments in [
            &["user", "set-password", "ana@example.com", "--password-stdin"][..],
            &["user", "create", "--email", "luis@example.com", "--password-stdin", "--json"],
        ] {
            let run = site.run_with(password, arguments);
            assert!(!run.status.success(), "{run:?}");
            assert!(!run.stderr.contains("kanari") && !run.stdout.contains("kanari"), "{run:?}");
        }
    }
}
