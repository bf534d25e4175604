use super::*;

/// A request of each command, as it is sent. Raise the protocol when one changes, and write it down anew.
const REQUESTS: &[(&str, &str)] = &[
    (
        "bootstrap",
        r#"{"protocol":1,"change":{"bootstrap":{"company":{"legalName":"Sol SL","tradeName":null,"taxId":null,"country":null,"language":null,"timezone":null,"legalForm":"sl","baseCurrency":null,"externalId":null},"holder":{"email":"ana@example.com","name":"Ana Sol","locale":null},"tokenName":"bootstrap","password":"correct horse battery"}}}"#,
    ),
    (
        "account create",
        r#"{"protocol":1,"change":{"accountCreate":{"company":{"legalName":"Luna SA","tradeName":null,"taxId":"B12345674","country":"ES","language":null,"timezone":null,"legalForm":"other","baseCurrency":"EUR","externalId":"7"},"holder":"ana@example.com"}}}"#,
    ),
    (
        "account api-access",
        r#"{"protocol":1,"change":{"accountApiAccess":{"switch":"off","account":"acc_01jd3k8z6qfjf9vma5y6z7a8b9"}}}"#,
    ),
    (
        "group create",
        r#"{"protocol":1,"change":{"groupCreate":{"name":"Grupo Sol","parent":"acc_01jd3k8z6qfjf9vma5y6z7a8b9"}}}"#,
    ),
    (
        "group add",
        r#"{"protocol":1,"change":{"groupAdd":{"group":"grp_01jd3k8z6qfjf9vma5y6z7a8b9","account":"acc_01jd3k8z6qfjf9vma5y6z7a8b9","ownershipPercent":"51.5"}}}"#,
    ),
    (
        "user create",
        r#"{"protocol":1,"change":{"userCreate":{"email":"luis@example.com","name":null,"locale":"es","password":null}}}"#,
    ),
    (
        "user set-password",
        r#"{"protocol":1,"change":{"userSetPassword":{"user":"luis@example.com","password":"correct horse battery"}}}"#,
    ),
    (
        "user remove-second-factor",
        r#"{"protocol":1,"change":{"userRemoveSecondFactor":{"user":"luis@example.com"}}}"#,
    ),
    (
        "member add",
        r#"{"protocol":1,"change":{"memberAdd":{"account":"acc_01jd3k8z6qfjf9vma5y6z7a8b9","user":"luis@example.com","role":"administrator"}}}"#,
    ),
    (
        "member remove",
        r#"{"protocol":1,"change":{"memberRemove":{"account":"acc_01jd3k8z6qfjf9vma5y6z7a8b9","user":"luis@example.com"}}}"#,
    ),
    (
        "token create",
        r#"{"protocol":1,"change":{"tokenCreate":{"account":"acc_01jd3k8z6qfjf9vma5y6z7a8b9","creator":"ana@example.com","name":"Shop","permissions":["read"],"personalData":false,"allowedIps":["203.0.113.0/24"],"expiresAt":"2027-01-01T00:00:00.000Z","companies":[],"groups":[]}}}"#,
    ),
    (
        "token update",
        r#"{"protocol":1,"change":{"tokenUpdate":{"token":"tok_01jd3k8z6qfjf9vma5y6z7a8b9","name":null,"permissions":[],"personalData":true,"allowedIps":[],"anyIp":true}}}"#,
    ),
    ("token disable", r#"{"protocol":1,"change":{"tokenDisable":{"id":"tok_01jd3k8z6qfjf9vma5y6z7a8b9"}}}"#),
    ("token enable", r#"{"protocol":1,"change":{"tokenEnable":{"id":"tok_01jd3k8z6qfjf9vma5y6z7a8b9"}}}"#),
    ("token revoke", r#"{"protocol":1,"change":{"tokenRevoke":{"id":"tok_01jd3k8z6qfjf9vma5y6z7a8b9"}}}"#),
    ("token rotate", r#"{"protocol":1,"change":{"tokenRotate":{"id":"tok_01jd3k8z6qfjf9vma5y6z7a8b9"}}}"#),
];

#[test]
fn requests_are_read_as_this_protocol_has_them_and_written_the_same() {
    for (name, text) in REQUESTS {
        let change = Request::read(text.as_bytes()).unwrap_or_else(|failure| panic!("{name}: {failure}"));
        assert_eq!(change.name(), *name);
        assert_eq!(serde_json::to_string(&Request::of(change)).expect("written"), *text);
    }
}

#[test]
fn replies_are_written_as_this_protocol_has_them_and_read_the_same() {
    let failure = || Failure::usage("invalid_input", "name: is empty").hint("see --help");
    let written = serde_json::to_string(&Reply::Failed(failure())).expect("written");
    assert_eq!(
        written,
        r#"{"failed":{"kind":"usage","code":"invalid_input","message":"name: is empty","hint":"see --help"}}"#
    );
    let read: Reply = serde_json::from_str(&written).expect("read");
    let read: Result<Answer, Failure> = read.into();
    assert_eq!(read.err(), Some(failure()));
    let done = Reply::Done(Answer::new(&serde_json::json!({"userId": 1}), "usr_1"));
    assert_eq!(
        serde_json::to_string(&done).expect("written"),
        r#"{"done":{"json":"{\"userId\":1}","text":"usr_1"}}"#
    );
}

#[test]
fn another_protocol_is_named_whatever_else_it_says() {
    let failure = Request::read(br#"{"protocol":2,"order":[]}"#).expect_err("refused");
    assert_eq!(failure.code(), "admin_protocol");
    assert!(failure.message().contains("protocol 2"), "{failure}");
    let greeting: Greeting =
        serde_json::from_str(r#"{"protocol":2,"version":"9.0.0","more":1}"#).expect("read");
    let failure = greeting.check().expect_err("refused");
    assert_eq!(failure.code(), "admin_protocol");
    assert!(failure.message().contains("9.0.0") && failure.message().contains("protocol 2"), "{failure}");
    Greeting::ours().check().expect("ours");
}

#[test]
fn what_is_no_request_is_refused_without_being_repeated() {
    for text in [
        "",
        "secret",
        r#"{"protocol":1}"#,
        r#"{"protocol":1,"change":{"secret":{}}}"#,
        r#"{"protocol":1,"change":{"tokenRevoke":{"id":"secret"}}}"#,
        r#"{"protocol":1,"change":{"tokenRevoke":{"id":"tok_01jd3k8z6qfjf9vma5y6z7a8b9","secret":1}}}"#,
    ] {
        let failure = Request::read(text.as_bytes()).expect_err(text);
        assert_eq!(failure.code(), "admin_request_invalid", "{text}");
        assert!(!format!("{failure:?}").contains("secret"), "{failure:?}");
    }
}
