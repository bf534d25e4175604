//! A receiver that keeps what arrives byte for byte, and answers as it is told.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

use super::PATIENCE;

/// How a delivery is answered.
#[derive(Clone)]
pub(crate) enum Answer {
    /// With this status.
    Status(u16),
    /// With a redirect to this URL.
    Redirect(String),
    /// With 200, but not before the test drops its sender.
    Held(Arc<std::sync::Mutex<mpsc::Receiver<()>>>),
}

/// One delivery, as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// Names as they were written, in their order.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// A receiver; it lives as long as the test process.
pub(crate) struct Receiver {
    pub(crate) url: String,
    hits: mpsc::Receiver<Hit>,
}

impl Receiver {
    pub(crate) fn answering(answer: Answer) -> Self {
        Self::open(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), answer)
    }

    /// A receiver on a port that was chosen before.
    pub(crate) fn open(address: SocketAddr, answer: Answer) -> Self {
        let listener = TcpListener::bind(address).expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("bound"));
        let (sender, hits) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (sender, answer) = (sender.clone(), answer.clone());
                thread::spawn(move || serve(&stream, &sender, &answer));
            }
        });
        Self { url, hits }
    }

    /// The next delivery.
    #[track_caller]
    pub(crate) fn next(&self) -> Hit {
        self.hits.recv_timeout(PATIENCE).expect("a delivery in time")
    }

    /// Whether nothing has arrived that was not asked for.
    pub(crate) fn is_silent(&self) -> bool {
        self.hits.try_recv().is_err()
    }
}

fn serve(mut stream: &TcpStream, hits: &mpsc::Sender<Hit>, answer: &Answer) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let Some(hit) = read(&mut reader) else { return };
    // The test may be over already.
    drop(hits.send(hit));
    let head = match answer {
        Answer::Status(status) => format!("HTTP/1.1 {status} Answer\r\n"),
        Answer::Redirect(to) => format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\n"),
        Answer::Held(release) => {
            let released = release.lock().expect("sound").recv();
            assert!(released.is_err(), "tests release by dropping the sender");
            "HTTP/1.1 200 OK\r\n".to_owned()
        }
    };
    // The sender may have given up waiting.
    drop(stream.write_all(format!("{head}Content-Length: 0\r\nConnection: close\r\n\r\n").as_bytes()));
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Hit> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert!(line.starts_with("POST /hook HTTP/1.1"), "{line}");
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ").or_else(|| line.trim_end().split_once(':')) {
            Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.map_or(0, |(_, value)| value.parse().expect("a number"));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Hit { headers, body: String::from_utf8(body).expect("text") })
}

impl Hit {
    /// A header by its name in any case.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or_else(|| panic!("no {name} in {:?}", self.headers), |(_, value)| value)
    }

    pub(crate) fn event_id(&self) -> &str {
        self.header("X-SVC-Webhook-Id")
    }

    pub(crate) fn delivery_id(&self) -> &str {
        self.header("X-SVC-Webhook-Delivery")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// Recomputes the signature without any code of the service.
    #[track_caller]
    pub(crate) fn assert_signed_with(&self, secret: &str) {
        let header = self.header("X-SVC-Webhook-Signature");
        let (t, hex) = header
            .strip_prefix("t=")
            .and_then(|rest| rest.split_once(",sha256="))
            .unwrap_or_else(|| panic!("malformed: {header}"));
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
        mac.update(format!("{t}.{}", self.body).as_bytes());
        let tag: [u8; 32] = mac.finalize().into_bytes().into();
        let expected = tag.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex, expected);
    }
}
