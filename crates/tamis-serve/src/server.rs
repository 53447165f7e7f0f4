//! The listener: connections up to a number, each with a time limit on its heads, and a shutdown that waits for answers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::config::{Config, SetupError};
use crate::patience::Patient;
use crate::routes;
use crate::state::AppState;

/// Time for the head of a request, and for the next request of a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// Bytes of a head, and of what is read at once.
const MAX_BUFFER: usize = 64 << 10;
/// Time for requests in flight when the server is told to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: AppState,
}

impl Server {
    /// Checks the configuration and listens. Needs a tokio runtime with I/O and time.
    pub async fn bind(config: Config) -> Result<Server, SetupError> {
        let addr = config.addr;
        let app = AppState::new(config)?;
        // Of more connections that come at once than this, clients would see some broken.
        let backlog = u32::try_from(app.config().limits.max_connections).unwrap_or(u32::MAX);
        let listener = listen(addr, backlog).map_err(|error| SetupError::Listen { addr, error })?;
        Ok(Server { listener, app })
    }

    /// The address with the port that was picked.
    pub fn local_addr(&self) -> SocketAddr {
        self.listener.local_addr().unwrap_or(self.app.config().addr)
    }

    /// Serves until `stop` is ready, then answers what is in flight.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Server { listener, app } = self;
        let router = routes::router(app.clone());
        let places = Arc::new(Semaphore::new(app.config().limits.max_connections));
        let patience = app.config().limits.request_timeout;
        let graceful = GracefulShutdown::new();
        let serve = async {
            while let Ok(place) = places.clone().acquire_owned().await {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = graceful.watch(connection(stream, router.clone(), patience));
                        tokio::spawn(async move {
                            // What goes wrong with a connection is the client's affair.
                            let _ = connection.await;
                            drop(place);
                        });
                    }
                    // Out of file descriptors, most likely: some are free soon.
                    Err(_) => sleep(Duration::from_millis(50)).await,
                }
            }
        };
        tokio::select! {
            () = serve => {}
            () = stop => {}
        }
        drop(listener);
        app.start_draining();
        let _ = timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    }
}

fn listen(addr: SocketAddr, backlog: u32) -> std::io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Elsewhere it would let other programs take the address over.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(backlog)
}

/// A connection to be served.
fn connection(
    stream: TcpStream,
    router: Router,
    patience: Duration,
) -> http1::Connection<Patient, TowerToHyperService<Router>> {
    // Answers are written whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT.min(patience))
        .max_buf_size(MAX_BUFFER)
        .serve_connection(Patient::new(stream, patience), TowerToHyperService::new(router))
}
