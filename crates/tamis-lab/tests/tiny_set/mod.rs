//! A small set of invented sites in a temporary folder.

use std::fs;

use tamis_lab::Set;
use tempfile::TempDir;

/// Some sites with four pages each: articles and threads, in three layouts.
pub(crate) struct TinySet(TempDir);

const WEATHER: [&str; 6] = ["rain", "snow", "wind", "hail", "fog", "frost"];
const PLACES: [&str; 5] = ["pier", "market", "school", "mill", "bridge"];

impl TinySet {
    pub(crate) fn new(sites: usize) -> TinySet {
        let temporary = TempDir::new().unwrap();
        let folder = temporary.path();
        fs::create_dir_all(folder.join("pages")).unwrap();
        let mut truths = String::new();
        for site in 0..sites {
            for page in 0..4 {
                let (html, text) = tiny_page(site, page);
                let id = format!("s{site}p{page}");
                fs::write(folder.join(format!("pages/{id}.html")), html).unwrap();
                // One site in three has no engine.
                let engine = (site % 3 > 0).then(|| format!("engine{}", site % 6));
                let kind = if site % 2 == 0 { "article" } else { "forum" };
                let kind = if page == 3 { "article" } else { kind };
                truths += &serde_json::json!({
                    "id": id, "site": format!("site{site}.example"), "page_type": kind, "engine": engine, "text": text,
                })
                .to_string();
                truths.push('\n');
            }
        }
        fs::write(folder.join("truth.jsonl"), truths).unwrap();
        TinySet(temporary)
    }

    pub(crate) fn open(&self) -> Set {
        Set::open(self.0.path()).unwrap()
    }
}

fn tiny_page(site: usize, page: usize) -> (String, String) {
    let number = 7 * site + 3 * page;
    let (weather, place) = (WEATHER[number % 6], PLACES[number % 5]);
    let paragraphs: Vec<String> = (0..2 + number % 4)
        .map(|at| {
            format!(
                "On day {at} the {weather} came over the harbour, past the {place}, and number {number} of the boats had to \
                 turn back; nobody was hurt, said the master, but the nets are lost."
            )
        })
        .collect();
    let body: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
    let links: String = (0..5 + site % 3).map(|at| format!("<li><a href=/{at}>Part {at}</a></li>")).collect();
    let (name, foot) =
        (["story", "text", "entry"][site % 3], format!("<div class=foot>Imprint of site {site}</div>"));
    let html = match site % 3 {
        0 => format!("<div class=menu><ul>{links}</ul></div><div class={name}>{body}</div>{foot}"),
        1 => format!(
            "<div class=top>Site {site}</div><div class={name}>{body}</div><div class=side><ul>{links}</ul></div>{foot}"
        ),
        _ => format!("<div><div class=nav><ul>{links}</ul></div><div class={name}>{body}</div></div>{foot}"),
    };
    (format!("<title>{weather}</title>{html}"), paragraphs.join("\n\n"))
}
