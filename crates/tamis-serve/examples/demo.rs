//! Serves invented stories, a site memory and an empty folder of labels, for the browser tests and to look at:
//! `cargo run -p tamis-serve --features corpus --example demo`. Prints its address; ends with standard input.

#![allow(missing_docs, clippy::print_stdout, reason = "a program for tests")]

#[path = "../tests/data_routes/fixture.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod fixture;

use std::error::Error;
use std::io::Read;
use std::net::SocketAddr;

use tamis_corpus::Corpus;
use tamis_corpus::database::Target;
use tamis_serve::{Config, Server};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (db, sites) = (Target::Sqlite(folder.path().join("news.db")), folder.path().join("sites.redb"));
    fixture::fill(&mut Corpus::open_or_create(&db)?)?;
    fixture::site_memory(&sites)?;
    let config = Config {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        db: Some(db),
        sites: Some(sites),
        labels: Some(folder.path().join("labels")),
        log: false,
        ..Config::default()
    };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let server = Server::bind(config).await?;
        println!("http://{}", server.local_addr());
        let ended = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
        server.run(async { drop(ended.await) }).await;
        Ok(())
    })
}
