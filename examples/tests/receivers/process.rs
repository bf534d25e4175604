//! A receiver as a process, and requests to it, byte by byte.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, PipeReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A receiver that runs until it is dropped.
pub(crate) struct Process {
    child: Child,
    output: BufReader<PipeReader>,
    /// Host and port.
    address: String,
}

impl Process {
    /// Starts it, and waits until its first line tells where it is: `http://ADDRESS`.
    pub(crate) fn start(command: &mut Command, secrets: &str) -> Self {
        let (reader, writer) = io::pipe().expect("a pipe");
        // PHP tells its address as an error.
        let errors = writer.try_clone().expect("a second end");
        let command = command.env("SVC_WEBHOOK_SECRET", secrets).stdin(Stdio::null());
        let child = command.stdout(writer).stderr(errors).spawn().expect("the receiver starts");
        // Its ends of the pipe are the receiver's now: without them, reading would not end with it.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = Self { child, output: BufReader::new(reader), address: String::new() };
        let line = process.line();
        let (_, address) = line.split_once("http://").unwrap_or_else(|| panic!("an address, not `{line}`"));
        address.split(['/', ')']).next().unwrap_or_default().clone_into(&mut process.address);
        process
    }

    /// The next line that it prints.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the receiver prints text");
        line.trim_end().to_owned()
    }

    /// The next line about an event; those about refusals are passed over.
    pub(crate) fn work(&mut self) -> String {
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the receiver has ended");
            if line.starts_with("evt_") {
                return line.split(' ').next().unwrap_or_default().to_owned();
            }
        }
    }

    /// Posts a body, and gives the status of the answer.
    pub(crate) fn post(&self, headers: &[(&str, String)], body: &[u8]) -> io::Result<u16> {
        let mut stream = self.begin(headers, body.len())?;
        stream.write_all(body)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        status.ok_or_else(|| io::Error::other(format!("no status: `{answer}`")))
    }

    /// Announces a body of which only a part comes, and hangs up.
    pub(crate) fn post_half(&self, headers: &[(&str, String)], body: &[u8]) -> io::Result<()> {
        let (half, _) = body.split_at(body.len() / 2);
        self.begin(headers, body.len())?.write_all(half)
    }

    fn begin(&self, headers: &[(&str, String)], length: usize) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(&self.address)?;
        let mut head = format!("POST /hooks HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").expect("writing to a String never fails");
        }
        write!(head, "Content-Length: {length}\r\n\r\n").expect("writing to a String never fails");
        stream.write_all(head.as_bytes())?;
        Ok(stream)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
