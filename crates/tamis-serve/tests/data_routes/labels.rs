use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamis_lab::Set;
use tamis_serve::Config;

use crate::harness::Running;

fn server() -> Running {
    Running::start(|folder, config| Config { labels: Some(folder.join("labels")), ..config })
}

/// A page whose last paragraph looks like text and is a note of the editors.
fn page(number: usize) -> String {
    let stories = ["bridge over the harbour", "market on the northern quay", "ferry across the wide bay"];
    let what = stories[number % stories.len()];
    let story: String = (0..6)
        .map(|line| format!("<p>In part {line} of our report, the {what} was the matter of a long debate, as it had been in year {number}.</p>"))
        .collect();
    let note = "<div class=ednote><p>This report was first printed in our evening edition, and is given here for all readers of the town.</p></div>";
    format!(
        "<!doctype html><html lang=en><title>Report {number}</title><body><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><h1>Report {number}</h1>{story}{note}<div>Imprint</div>"
    )
}

/// The number of the block with these words.
fn block(server: &Running, id: &str, words: &str) -> usize {
    let label = server.get(&format!("/v1/labels/{id}")).json();
    let html = label["html"].as_str().unwrap().to_owned();
    let page = tamis::page::Page::parse(&html);
    (0..page.blocks.len()).find(|block| page.blocks.text(*block).contains(words)).unwrap()
}

fn save(server: &Running, id: &str, number: usize, blocks: &Value) -> crate::harness::Answered {
    let url = format!("https://site{number}.example/{number}");
    let body = json!({ "html": page(number), "url": url, "blocks": blocks });
    server.send("PUT", &format!("/v1/labels/{id}"), &body.to_string())
}

#[test]
fn labels_are_a_set_that_others_read() {
    let server = server();
    assert_eq!(server.get("/v1/labels").json()["labels"], json!([]));
    let saved = save(&server, "report-1", 1, &json!({}));
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!((&saved.json()["replaced"], &saved.json()["pages"]), (&json!(false), &json!(1)));
    let note = block(&server, "report-1", "evening edition");
    let imprint = block(&server, "report-1", "Imprint");
    let saved =
        save(&server, "report-1", 1, &json!({ note.to_string(): "noise", imprint.to_string(): "caption" }));
    assert!(
        saved.json()["replaced"] == true
            && !saved.json()["text"].as_str().unwrap().contains("evening edition")
    );

    let label = server.get("/v1/labels/report-1").json();
    assert_eq!(
        (&label["blocks"][note.to_string()], &label["blocks"][imprint.to_string()]),
        (&json!("noise"), &json!("caption"))
    );
    assert_eq!((&label["site"], &label["outdated"]), (&json!("site1.example"), &json!(false)));
    let set = Set::open(&server.folder.path().join("labels")).unwrap();
    assert!(set.problems.is_empty(), "{:?}", set.problems);
    assert_eq!(set.truths[0].supplemental.as_deref(), Some("Imprint\n"));
    assert!(set.truths[0].text.as_deref().unwrap().contains("part 5 of our report"));
    assert!(tamis_lab::label::changed(&set).is_empty());

    assert_eq!(server.send("DELETE", "/v1/labels/report-1", "").status, 204);
    assert_eq!(server.send("DELETE", "/v1/labels/report-1", "").status, 404);
    assert_eq!(server.get("/v1/labels").json()["labels"], json!([]));
}

#[test]
fn nothing_leads_out_of_the_folder_and_bad_labels_change_nothing() {
    let server = server();
    for id in ["..%2Fout", "%2Fetc%2Fx", ".hidden", "a%5Cb", "a%00b", "%2E%2E", "a%0Ab", &"x".repeat(200)] {
        let answer = save(&server, id, 1, &json!({}));
        assert!((400..500).contains(&answer.status), "{id}: {} {}", answer.status, answer.body);
    }
    assert_eq!(save(&server, "a", 1, &json!({ "9999": "main" })).status, 422);
    assert_eq!(save(&server, "a", 1, &json!({ "0": "perhaps" })).status, 400);
    let empty = json!({ "html": "<p>…", "blocks": {} }).to_string();
    assert_eq!(server.send("PUT", "/v1/labels/a", &empty).status, 422);
    assert_eq!(server.send("PUT", "/v1/labels/a", "{").status, 400);
    assert!(
        !server.folder.path().join("labels/pages").exists()
            || std::fs::read_dir(server.folder.path().join("labels/pages")).unwrap().next().is_none()
    );
    let without = Running::start(|_, config| config);
    assert!(
        without.get("/v1/labels").detail().contains("--labels")
            && without.get("/v1/training").detail().contains("--labels")
    );
}

fn trained(server: &Running) -> Value {
    assert_eq!(server.send("POST", "/v1/training", "").status, 202);
    let start = Instant::now();
    loop {
        let status = server.get("/v1/training").json();
        if status["state"] != "running" {
            return status;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{status}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn training_learns_the_correction_and_is_kept_or_discarded() {
    let mut server = server();
    let failed = trained(&server);
    assert!(
        failed["state"] == "failed" && failed["error"].as_str().unwrap().contains("label some"),
        "{failed}"
    );
    for number in 1..=3 {
        let id = format!("report-{number}");
        assert_eq!(save(&server, &id, number, &json!({})).status, 200);
        let note = block(&server, &id, "evening edition");
        assert_eq!(save(&server, &id, number, &json!({ note.to_string(): "noise" })).status, 200);
    }
    let extract = |server: &Running| {
        let body = json!({ "html": page(7), "url": "https://other.example/7" }).to_string();
        server.send("POST", "/v1/extract", &body).body.contains("evening edition")
    };
    assert!(extract(&server), "the model keeps the note at first");
    let status = trained(&server);
    assert_eq!(status["state"], "done", "{status}");
    assert_eq!(status["changed"].as_array().unwrap().len(), 3);
    let (before, after) = (&status["labelled"]["before"], &status["labelled"]["after"]);
    assert!(after.as_f64() > before.as_f64() && after.as_f64().unwrap() > 0.99, "{status}");
    assert!(
        status["labelled"]["held_out"].as_f64() > before.as_f64(),
        "also on sites it has not seen: {status}"
    );

    assert_eq!(server.send("POST", "/v1/training/discard", "").json()["state"], "idle");
    assert!(
        extract(&server) && server.send("POST", "/v1/training/keep", "").status == 409,
        "nothing is left to keep"
    );
    trained(&server);
    assert_eq!(server.send("POST", "/v1/training/keep", "").status, 200);
    assert!(!extract(&server), "the kept model is used at once");
    assert_eq!(server.get("/v1/training").json()["state"], "idle");

    // Another server with the same folder starts with it.
    server.stop();
    let folder = std::mem::replace(&mut server.folder, tempfile::tempdir().unwrap());
    let addr = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    let config = Config { addr, log: false, labels: Some(folder.path().join("labels")), ..Config::default() };
    assert!(!extract(&Running::again(config, folder)));
}
