//! A web server for tests: one thread, on a port of its own, gone when the test is over.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// `respond` gets the path that is asked for and gives the whole answer. Where it sets the flag, the connection
    /// stays open after that without another word.
    pub(crate) fn start(respond: impl Fn(&str, &mut bool) -> Vec<u8> + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (seen, over) = (requests.clone(), is_over.clone());
        thread::spawn(move || {
            let mut stalled = Vec::new();
            for connection in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(mut connection) = connection else { continue };
                let request = read_request(&mut connection);
                let path = request.split(' ').nth(1).unwrap_or("").to_owned();
                seen.lock().unwrap().push(request);
                let mut stalls = false;
                // A client that has seen enough does not read to the end.
                let _ = connection.write_all(&respond(&path, &mut stalls));
                if stalls {
                    stalled.push(connection);
                }
            }
        });
        Server { address, requests, is_over }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The requests so far: first lines and headers.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread, which waits for connections.
        let _ = TcpStream::connect(self.address);
    }
}

/// Up to the empty line; or up to anything that is no request, such as the greeting of a client that speaks TLS.
fn read_request(connection: &mut TcpStream) -> String {
    let _ = connection.set_read_timeout(Some(Duration::from_secs(5)));
    let mut request = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        match connection.read(&mut buffer) {
            Ok(length) if length > 0 => request.extend_from_slice(&buffer[..length]),
            _ => break,
        }
        if request.ends_with(b"\r\n\r\n") || !request.starts_with(b"GET ") {
            break;
        }
    }
    String::from_utf8_lossy(&request).into_owned()
}

/// An answer with its length, after which the connection is closed.
pub(crate) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for header in headers {
        answer.push_str(header);
        answer.push_str("\r\n");
    }
    [answer.as_bytes(), b"\r\n", body].concat()
}

/// A gzip file of stored blocks: packed by nobody, unpacked by everybody.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF".to_vec();
    let mut blocks = bytes.chunks(0xFFFF).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        packed.push(u8::from(blocks.peek().is_none()));
        packed.extend_from_slice(&length.to_le_bytes());
        packed.extend_from_slice(&(!length).to_le_bytes());
        packed.extend_from_slice(block);
    }
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    packed.extend_from_slice(&(!crc).to_le_bytes());
    packed.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    packed
}
