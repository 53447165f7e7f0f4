//! A server on loopback with a temporary corpus, site memory and folder of labels, and a client.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;

use serde_json::Value;
use tamis_serve::{Config, Server};
use tokio::sync::oneshot;

pub(crate) struct Running {
    pub(crate) folder: tempfile::TempDir,
    addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn detail(&self) -> String {
        self.json()["detail"].as_str().unwrap_or_default().to_owned()
    }
}

impl Running {
    /// Starts a server; `set_up` names what it keeps, in the folder.
    pub(crate) fn start(set_up: impl FnOnce(&Path, Config) -> Config) -> Running {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { addr: SocketAddr::from(([127, 0, 0, 1], 0)), log: false, ..Config::default() };
        Running::again(set_up(folder.path(), config), folder)
    }

    /// Starts a server in the folder of another one.
    pub(crate) fn again(config: Config, folder: tempfile::TempDir) -> Running {
        let (stop, stopped) = oneshot::channel::<()>();
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Server::bind(config).await.unwrap();
                sender.send(server.local_addr()).unwrap();
                server.run(async { drop(stopped.await) }).await;
            });
        });
        let addr = receiver.recv().unwrap();
        Running { folder, addr, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answered {
        self.send("GET", path, "")
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Answered {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.addr,
            body.len()
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answered { status, head: head.to_lowercase(), body: body.to_owned() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
    }
}
