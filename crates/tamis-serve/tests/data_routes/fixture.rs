//! A corpus of invented stories in three languages, with versions, comments, near-duplicates and hostile ones; a site memory.

use std::path::Path;

use tamis_corpus::{
    CommentDraft, Corpus, Draft, RawDraft, RawRole, compress, save_comments, save_raw, save_story,
};

/// 2026-11-02, 08:00 UTC.
pub(crate) const START: i64 = 1_793_606_400_000;
pub(crate) const DAY: i64 = 86_400_000;

pub(crate) const BRIDGE: &str = "The harbour bridge was closed on Monday after a storm had damaged two of its pillars.\n\
    Engineers of the port authority inspected the foundations with divers and found cracks in both.\n\
    Ferries carry passengers across the bay every twenty minutes until the repairs are done.\n\
    The mayor said that the tunnel would be opened to lorries at night, for the first time in nine years.\n\
    Shops on the northern quay expect losses, and ask the city for help during the winter season.\n";

const CHINESE: &str = "周一的风暴损坏了港口大桥的两座桥墩，大桥因此关闭。\n\
    港务局的工程师与潜水员一起检查了地基，发现两处都有裂缝。\n\
    在修复完成之前，渡轮每二十分钟运送一次乘客过海湾。\n";

const UYGHUR: &str = "دۈشەنبە كۈنىدىكى بوران پورت كۆۋرۈكىنىڭ ئىككى تۈۋرۈكىنى بۇزۇۋەتتى، شۇڭا كۆۋرۈك تاقالدى.\n\
    پورت ئىدارىسىنىڭ ئىنژېنېرلىرى ئاساسنى تەكشۈرۈپ، ئىككىلىسىدە يېرىق بارلىقىنى بايقىدى.\n\
    رېمونت تۈگىگۈچە پاراخوت ھەر يىگىرمە مىنۇتتا يولۇچىلارنى توشۇيدۇ.\n";

/// What a browser must not run.
pub(crate) const HOSTILE: &str = "<script>alert('text')</script>\n<img src=x onerror=alert('image')>\n\
    </textarea><svg onload=alert('svg')>\n{{constructor.constructor('alert(1)')()}}\n";

fn draft(url: &str, source: &str, language: &str, title: &str, text: &str) -> Draft {
    let mut draft = Draft::new(url);
    draft.site_name = Some(source.to_owned());
    draft.language = Some(language.to_owned());
    draft.title = Some(title.to_owned());
    draft.page_type = Some("article".to_owned());
    draft.confidence = Some(0.97);
    draft.text = text.to_owned();
    draft.markdown = text.to_owned();
    draft.extractor = "test".to_owned();
    draft
}

/// The page of a story as it was fetched.
pub(crate) fn page(title: &str, text: &str, language: &str) -> String {
    let paragraphs: String = text.lines().map(|line| format!("<p>{line}</p>\n")).collect();
    format!(
        "<!doctype html><html lang={language}><head><meta charset=utf-8><title>{title}</title></head><body>\
         <nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>\
         <article><h1>{title}</h1>{paragraphs}</article><footer>Imprint, all rights reserved</footer></body></html>"
    )
}

/// Fills a corpus. The stories 1 to 5: English, its near-duplicate, Chinese, Uyghur, hostile.
pub(crate) fn fill(corpus: &mut Corpus) -> Result<(), tamis_corpus::Error> {
    corpus.transaction(|tx| {
        let url = "https://gazette.example/harbour-bridge";
        let mut bridge = draft(url, "Harbour Gazette", "en", "Harbour bridge closed after storm", BRIDGE);
        bridge.authors = vec!["Ada Lind".to_owned()];
        bridge.published = Some("2026-11-02".to_owned());
        let id = save_story(tx, &bridge, START)?.story_id;
        bridge.text = BRIDGE.replace("twenty minutes", "ten minutes");
        save_story(tx, &bridge, START + DAY)?;
        bridge.title = Some("Harbour bridge closed until spring".to_owned());
        bridge
            .text
            .push_str("The repairs will take until spring, the port authority announced on Wednesday.\n");
        save_story(tx, &bridge, START + 2 * DAY)?;
        let comment = |author: &str, text: &str, reply_to| CommentDraft {
            author: Some(author.to_owned()),
            time: Some("2026-11-03T09:30Z".to_owned()),
            text: text.to_owned(),
            reply_to,
        };
        let comments = [
            comment("Bo", "I take the ferry every day, and it is full at eight.", None),
            comment("Cyn", "Then take the one at half past seven.", Some(0)),
            comment("<b>Mallory</b>", "<script>alert('comment')</script>", None),
        ];
        save_comments(tx, id, &comments, url, START + DAY)?;
        let raw = |url: &str, title: &str, text: &str, language: &str| RawDraft {
            url: url.to_owned(),
            role: RawRole::Story,
            part: 1,
            fetched: START,
            content_type: Some("text/html; charset=utf-8".to_owned()),
            body: compress(page(title, text, language).as_bytes()),
        };
        save_raw(tx, id, &raw(url, "Harbour bridge closed until spring", &bridge.text, "en"))?;

        let copy = bridge.text.replace("said that", "said");
        let mirror = draft(
            "https://mirror.example/bridge",
            "Daily Mirror",
            "en-GB",
            "Bridge closed after storm",
            &copy,
        );
        save_story(tx, &mirror, START + DAY)?;
        for (url, source, language, title, text) in [
            ("https://ribao.example/daqiao", "海湾日报", "zh-CN", "港口大桥因风暴关闭", CHINESE),
            ("https://geziti.example/koweruk", "پورت گېزىتى", "ug", "پورت كۆۋرۈكى تاقالدى", UYGHUR),
        ] {
            let mut story = draft(url, source, language, title, text);
            story.published = Some("2026-11-04".to_owned());
            let id = save_story(tx, &story, START + 2 * DAY)?.story_id;
            save_raw(tx, id, &raw(url, title, text, language))?;
        }
        let mut hostile = draft(
            "javascript:alert('url')",
            "<i>Source</i>",
            "en",
            "<script>alert('title')</script>",
            HOSTILE,
        );
        hostile.canonical = Some("javascript:alert('canonical')".to_owned());
        hostile.authors = vec!["\" onmouseover=alert('author') x=\"".to_owned()];
        save_story(tx, &hostile, START + 3 * DAY)?;
        for number in 0..60_i64 {
            let source = ["Harbour Gazette", "Bay Radio", "Island Post"][(number % 3) as usize];
            let url = format!("https://{}.example/{number}", source.to_lowercase().replace(' ', "-"));
            let text = format!(
                "Story number {number} tells of the market on the quay, and of the {number} boats there.\n"
            );
            let day = START - (number * number % 37) * DAY;
            save_story(tx, &draft(&url, source, "en", &format!("Market day {number}"), &text), day)?;
        }
        Ok(())
    })
}

/// A site memory of three pages that repeat a footer.
pub(crate) fn site_memory(file: &Path) -> Result<(), tamis_site::Error> {
    let mut memory = tamis_site::SiteProfile::default();
    for text in ["It rained in the harbour.", "It snowed in the town.", "It was hot on the island."] {
        memory.observe(
            &tamis::page::Page::parse(&format!("<p>{text}</p><p>Subscribe to our letter today.</p>")),
            None,
        );
    }
    let key = tamis_site::SiteKey::named("gazette.example");
    key.map_or(Ok(()), |key| tamis_site::Store::open(file)?.merge(&key, &memory))
}
