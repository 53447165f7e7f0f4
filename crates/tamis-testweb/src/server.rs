//! The servers: one listener per host, one thread per connection.

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::checks::Hit;
use crate::discovery::gzip;
use crate::http::{Body, Heads, Reply, Request};
use crate::kinds::Kind;
use crate::pages::Furniture;
use crate::site::{Memory, Site, World};
use crate::story::{Settings, Story};
use crate::words::{Language, Rng};

/// Most connections over all hosts; more have to wait.
const MAX_CONNECTIONS: usize = 512;
/// Interval at which idle connections check for a stop, and delayed ones for a disconnected client.
const POLL: Duration = Duration::from_millis(50);
const STACK_BYTES: usize = 256 * 1024;

/// A running web. Dropping it stops all its threads.
pub struct Web {
    shared: Arc<Shared>,
    listeners: Vec<JoinHandle<()>>,
    port: u16,
}

struct Shared {
    world: World,
    log: Mutex<Vec<Hit>>,
    asked_robots: Mutex<HashSet<String>>,
    started: Instant,
    connections: AtomicUsize,
    stop: AtomicBool,
}

impl Web {
    /// Starts serving. Panics if the addresses cannot be bound.
    pub fn start(settings: Settings) -> Web {
        let (port, sockets) = bind(&settings);
        let world = build(settings, port);
        let shared = Arc::new(Shared {
            world,
            log: Mutex::default(),
            asked_robots: Mutex::default(),
            started: Instant::now(),
            connections: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        });
        let listeners = sockets
            .into_iter()
            .enumerate()
            .map(|(host, socket)| {
                let shared = Arc::clone(&shared);
                spawn(move || accept(&shared, host, &socket))
            })
            .collect();
        Web { shared, listeners, port }
    }

    /// The port of all hosts.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The seeds for a collector: one URL per host, the feed of `Atom` and the front page of others.
    pub fn seeds(&self) -> Vec<String> {
        let sites = self.shared.world.sites.iter();
        sites
            .map(|site| format!("{}{}", site.base, if site.kind == Kind::Atom { "/atom.xml" } else { "/" }))
            .collect()
    }

    /// `http://127.0.0.N:PORT` of the first host of this kind.
    pub fn base(&self, kind: Kind) -> Option<&str> {
        let site = self.shared.world.sites.iter().find(|site| site.kind == kind)?;
        Some(&site.base)
    }

    /// Every story of the web, forbidden ones too.
    pub fn truth(&self) -> &[Story] {
        &self.shared.world.stories
    }

    /// Publishes the second revision of every story that has one.
    pub fn publish_revisions(&self) {
        self.shared.world.revised.store(true, Ordering::Relaxed);
    }

    /// The requests that were answered since the start or the last [`Web::clear_log`].
    pub fn log(&self) -> Vec<Hit> {
        self.shared.log.lock().unwrap().clone()
    }

    /// Clears the log, but not the record of requests for robots.txt and the hosts' own state.
    pub fn clear_log(&self) {
        let forgotten = std::mem::take(&mut *self.shared.log.lock().unwrap());
        let asked = forgotten.into_iter().filter(|hit| hit.path == "/robots.txt").map(|hit| hit.host);
        self.shared.asked_robots.lock().unwrap().extend(asked);
    }

    /// Hosts whose robots.txt was requested before the log was cleared.
    pub(crate) fn asked_robots(&self) -> HashSet<String> {
        self.shared.asked_robots.lock().unwrap().clone()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.shared.world.settings
    }

    /// The kind of the host with this address and port.
    pub(crate) fn kind_of(&self, host: &str) -> Kind {
        let address: SocketAddrV4 = host.parse().unwrap();
        let index = address.ip().octets()[3] - self.settings().first_address;
        self.shared.world.sites[usize::from(index)].kind
    }

    /// Adds a fake request to the log.
    #[cfg(test)]
    pub(crate) fn plant(&self, hit: Hit) {
        self.shared.log.lock().unwrap().push(hit);
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        // A connection wakes up the listener.
        for host in 0..self.listeners.len() {
            drop(TcpStream::connect(address(&self.shared.world.settings, host, self.port)));
        }
        for listener in self.listeners.drain(..) {
            listener.join().ok();
        }
        while self.shared.connections.load(Ordering::SeqCst) > 0 {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap()
}

fn address(settings: &Settings, host: usize, port: u16) -> SocketAddrV4 {
    let last = settings.first_address.checked_add(u8::try_from(host).unwrap()).unwrap();
    SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, last), port)
}

/// Binds all hosts to one port, which the system chooses for the first host and which must be free on the others.
fn bind(settings: &Settings) -> (u16, Vec<TcpListener>) {
    for _ in 0..100 {
        let first = TcpListener::bind(address(settings, 0, 0)).unwrap();
        let port = first.local_addr().unwrap().port();
        let others: std::io::Result<Vec<TcpListener>> =
            (1..settings.hosts).map(|host| TcpListener::bind(address(settings, host, port))).collect();
        if let Ok(others) = others {
            return (port, std::iter::once(first).chain(others).collect());
        }
    }
    panic!("no port is free on all of {} addresses", settings.hosts);
}

fn build(settings: Settings, port: u16) -> World {
    let languages = Language::all();
    let mut stories: Vec<Story> = Vec::new();
    let mut sites: Vec<Site> = Vec::new();
    for (host, share) in settings.shares().into_iter().enumerate() {
        let kind = settings.kinds[host % settings.kinds.len()];
        let base = format!("http://{}", address(&settings, host, port));
        let language = &languages[kind.language()];
        let mirrored = kind.mirrors().and_then(|wanted| sites.iter().rposition(|site| site.kind == wanted));
        let source = mirrored.unwrap_or(host);
        let first = stories.len();
        let range = mirrored.map_or(first..first + share, |source| sites[source].stories.clone());
        stories.extend(Story::of_host(&settings, (kind, &base), language, first, share));
        if let Some(source) = mirrored {
            for story in &mut stories[range.clone()] {
                let url = format!("{base}{}", &story.url[sites[source].base.len()..]);
                match kind {
                    Kind::MirrorCanonical => story.copies.push(url),
                    _ => story.duplicates.push(url),
                }
            }
        }
        sites.push(Site {
            kind,
            base,
            source,
            stories: range,
            furniture: Furniture::new(language, kind, &mut Rng::new(&[settings.seed, source as u64, 3])),
            memory: Mutex::new(Memory::default()),
            sessions: AtomicU64::new(1),
        });
    }
    World { settings, languages, stories, sites, revised: AtomicBool::new(false) }
}

fn accept(shared: &Arc<Shared>, host: usize, socket: &TcpListener) {
    for stream in socket.incoming() {
        while shared.connections.load(Ordering::SeqCst) >= MAX_CONNECTIONS && !shared.is_stopping() {
            thread::sleep(Duration::from_millis(2));
        }
        if shared.is_stopping() {
            return;
        }
        let Ok(stream) = stream else { continue };
        shared.connections.fetch_add(1, Ordering::SeqCst);
        let place = Place(Arc::clone(shared));
        spawn(move || {
            place.0.serve(host, stream);
        });
    }
}

/// A slot for a connection, released even if the thread panics.
struct Place(Arc<Shared>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// Answers the requests of one connection.
    fn serve(&self, host: usize, mut stream: TcpStream) {
        stream.set_read_timeout(Some(POLL)).ok();
        stream.set_write_timeout(Some(Duration::from_secs(10))).ok();
        stream.set_nodelay(true).ok();
        let mut heads = Heads::default();
        while let Some(request) = heads.next(&mut stream, || self.is_stopping()) {
            if !self.reply(host, &request, &mut stream) {
                return;
            }
        }
    }

    /// Answers one request and logs it. Returns whether the connection stays open.
    fn reply(&self, host: usize, request: &Request, stream: &mut TcpStream) -> bool {
        let start_ms = self.now_ms();
        let site = &self.world.sites[host];
        let mut reply = match request.method.as_str() {
            "GET" => site.answer(&self.world, request),
            _ => Reply::error(405),
        };
        if let (Kind::Atom, true, 200, Body::Whole(body)) =
            (site.kind, request.accepts_gzip, reply.status, &reply.body)
        {
            let packed = gzip(body);
            reply = Reply { body: Body::Whole(packed), ..reply }.with("Content-Encoding", "gzip");
        }
        let waited = self.wait(stream, reply.delay);
        // Read before the reply is sent, since the client may send the next request right after it.
        let end_ms =
            if waited { self.now_ms() } else { self.now_ms().saturating_sub(POLL.as_millis() as u64) };
        let is_whole = matches!(reply.body, Body::Whole(_));
        let close = request.close || !is_whole;
        let hit = Hit {
            host: site.base["http://".len()..].to_owned(),
            path: request.target(),
            start_ms,
            end_ms: end_ms.max(start_ms),
            status: if is_whole && waited { reply.status } else { 0 },
            conditional: request.if_none_match.is_some() || request.if_modified_since.is_some(),
            user_agent: request.user_agent.clone(),
            retry_until_ms: reply.retry_after.map(|wait| start_ms + wait.as_millis() as u64),
        };
        // Logged before the reply is sent, so that a test that has the reply finds it in the log.
        self.log.lock().unwrap().push(hit);
        waited && reply.write(stream, close, || self.is_stopping()).is_ok() && !close
    }

    /// Waits before a reply. Returns false if the client disconnected meanwhile.
    fn wait(&self, stream: &TcpStream, delay: Duration) -> bool {
        let until = Instant::now() + delay;
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            if self.is_stopping() {
                return false;
            }
            stream.set_read_timeout(Some(left.min(POLL))).ok();
            match stream.peek(&mut [0]) {
                Ok(0) => return false,
                Ok(_) => thread::sleep(left.min(POLL)), // The next request is there already.
                Err(_) => {}
            }
        }
        stream.set_read_timeout(Some(POLL)).ok();
        true
    }
}
