//! A web server on loopback for the tests of the client, with a thread per connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

pub(super) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `respond` is called with the path and the connection, and writes the response.
    pub(super) fn start(
        host: &str,
        respond: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind((host, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, respond) = (requests.clone(), Arc::new(respond));
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (mut connection, seen, respond) = (connection.unwrap(), seen.clone(), respond.clone());
                thread::spawn(move || {
                    let request = read_head(&mut connection);
                    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                    seen.lock().unwrap().push(request);
                    respond(&path, &mut connection);
                });
            }
        });
        Server { address, requests }
    }

    /// A server that answers every path with the function's result.
    pub(super) fn answering(respond: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Server {
        Server::start("127.0.0.1", move |path, connection| {
            // The client may stop reading early.
            let _ = connection.write_all(&respond(path));
        })
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The heads of the requests so far, in lower case.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Empty for what is not a request, such as the greeting of a TLS client.
fn read_head(connection: &mut TcpStream) -> String {
    let _ = connection.set_read_timeout(Some(Duration::from_secs(5)));
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && matches!(connection.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
        if !b"GET ".starts_with(&head[..head.len().min(4)]) {
            return String::new();
        }
    }
    String::from_utf8_lossy(&head).to_lowercase()
}

/// A response with its length, after which the connection is closed.
pub(super) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    [head.as_bytes(), b"\r\n", body].concat()
}
