use std::io::BufRead;
use tamis::{Page, posts};
use tamis_html::decode::Decoder;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(format!("{dir}/truth.jsonl")).unwrap());
    for line in file.lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let id = row["id"].as_str().unwrap();
        let bytes = std::fs::read(format!("{dir}/pages/{id}.html")).unwrap();
        let decoded = Decoder::new().decode(&bytes);
        let mut page = Page::parse(&decoded.text);
        if let Some(url) = row["url"].as_str() { page = page.with_url(url); }
        let found = posts::find(&page);
        let list: Vec<_> = found.iter().map(|p| serde_json::json!({"author":p.author,"time":p.time,"tt":p.time_text,"n":p.number,"to":p.reply_to,"q":p.quotes.len(),"text":p.text(&page),
          "path":page.node(p.element).path()})).collect();
        println!("{}", serde_json::json!({"id":id,"posts":list,"sec":page.comments().sections().len()}));
    }
}
