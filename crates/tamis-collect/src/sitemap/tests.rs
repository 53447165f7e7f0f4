//! Valid, broken and hostile sitemaps.

use std::io::Write;

use super::*;

fn base() -> Url {
    Url::parse("https://gazette.example/maps/sitemap.xml").unwrap()
}

fn read_all(bytes: &[u8]) -> Result<Sitemap, SitemapError> {
    parse(bytes, &base(), Limits::default())
}

fn urls_of(sitemap: &Sitemap) -> Vec<&str> {
    sitemap.entries.iter().map(|entry| entry.url.strip_prefix("https://gazette.example").unwrap()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn urlset(entries: usize) -> String {
    let entry = |index| format!("<url><loc>https://gazette.example/{index}</loc></url>");
    format!("<urlset>{}</urlset>", (0..entries).map(entry).collect::<String>())
}

const NEWS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE urlset [<!ENTITY lol "ha"><!ENTITY lots "&lol;&lol;">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">
  <!-- stories -->
  <url>
    <loc> https://gazette.example/rain?a=1&amp;b=%E6%B8%AF&utm_source=map </loc>
    <lastmod>2025-11-18</lastmod>
    <image:image><image:loc>https://gazette.example/rain.jpg</image:loc><image:title>Clouds</image:title></image:image>
    <n:news>
      <n:publication><n:name>Harbour Gazette</n:name><n:language>en</n:language></n:publication>
      <n:publication_date>2025-11-18T12:00:00Z</n:publication_date>
      <n:title>Rain &amp; <![CDATA[<wind>]]> &#233;&lots;</n:title>
    </n:news>
  </url>
  <url><loc>../wind</loc><lastmod>soon</lastmod></url>
  <url><lastmod>2025-11-18</lastmod></url>
  <url><loc>ftp://gazette.example/x</loc></url>
</urlset>"#;

#[test]
fn a_news_sitemap_gives_addresses_times_and_titles() {
    let sitemap = read_all(NEWS.as_bytes()).unwrap();
    assert_eq!((sitemap.kind, sitemap.skipped, sitemap.truncated), (SitemapKind::Pages, 2, false));
    assert_eq!(sitemap.damaged, None);
    assert_eq!(urls_of(&sitemap), ["/rain?a=1&b=%E6%B8%AF", "/wind"]);
    let news = sitemap.entries[0].news.as_ref().unwrap();
    assert_eq!(sitemap.entries[0].modified, Some(1_763_424_000_000));
    assert_eq!((news.published, news.language.as_deref()), (Some(1_763_467_200_000), Some("en")));
    // Declared entities are not expanded.
    assert_eq!(news.title.as_deref(), Some("Rain & <wind> é&lots;"));
    assert_eq!((sitemap.entries[1].modified, &sitemap.entries[1].news), (None, &None));
}

#[test]
fn indexes_text_lists_and_packed_files_are_read() {
    let index = "<sm:sitemapindex xmlns:sm='x'><sm:sitemap><sm:loc>/maps/1.xml.gz</sm:loc>\
                 <sm:lastmod>2025-11-18T12:00:00+00:00</sm:lastmod></sm:sitemap></sm:sitemapindex>";
    let sitemap = read_all(index.as_bytes()).unwrap();
    assert_eq!((sitemap.kind, urls_of(&sitemap)), (SitemapKind::Index, vec!["/maps/1.xml.gz"]));
    assert_eq!(sitemap.entries[0].modified, Some(1_763_467_200_000));

    let list = "\u{feff}\r\nhttps://gazette.example/a\r\n\r\nHTTPS://gazette.example/b#c\nnonsense\n";
    let sitemap = read_all(list.as_bytes()).unwrap();
    assert_eq!((urls_of(&sitemap), sitemap.skipped), (vec!["/a", "/b"], 1));

    for file in [NEWS, index, list] {
        assert_eq!(read_all(&gzip(file.as_bytes())), read_all(file.as_bytes()));
        let wide: Vec<u8> =
            "\u{feff}".encode_utf16().chain(file.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(read_all(&wide).unwrap().entries, read_all(file.as_bytes()).unwrap().entries);
    }
    assert_eq!(read_all(b"<urlset/>").unwrap().entries, []);
}

#[test]
fn what_is_no_sitemap_is_named() {
    for (file, error) in [
        ("", SitemapError::Empty),
        (" \n\t", SitemapError::Empty),
        ("<?xml version='1.0'?><rss><channel/></rss>", SitemapError::Feed),
        ("<feed xmlns='http://www.w3.org/2005/Atom'></feed>", SitemapError::Feed),
        ("<rdf:RDF xmlns:rdf='x'></rdf:RDF>", SitemapError::Feed),
        ("<!DOCTYPE html><html lang=en><p>Not found", SitemapError::WebPage),
        ("<HTML><BODY>", SitemapError::WebPage),
        ("<kml></kml>", SitemapError::Unknown("\"<kml>\"".into())),
        ("{\"error\": 404}", SitemapError::Unknown("\"{\\\"error\\\": 404}\"".into())),
        (
            "\u{1b}[2Jnot found\nhttps://gazette.example/",
            SitemapError::Unknown("\"\\u{1b}[2Jnot found\"".into()),
        ),
    ] {
        assert_eq!(read_all(file.as_bytes()).unwrap_err(), error, "{file}");
    }
    assert!(matches!(read_all(b"\x1F\x8Bnonsense"), Err(SitemapError::Packed(_))));
}

#[test]
fn a_broken_file_gives_what_stands_before_the_break() {
    let start = "<urlset><url><loc>https://gazette.example/a</loc></url>";
    for rest in ["<url><loc>https://gazette.example/b", "<url></loc>", "</wrong>", "<url><loc <", "<!-- ", ""]
    {
        let sitemap = read_all(format!("{start}{rest}").as_bytes()).unwrap();
        assert_eq!(urls_of(&sitemap), ["/a"], "{rest}");
        assert!(sitemap.damaged.is_some() && !sitemap.truncated, "{rest}");
    }
    let packed = gzip(urlset(20_000).as_bytes());
    let sitemap = read_all(&packed[..packed.len() / 2]).unwrap();
    assert!(sitemap.damaged.is_some() && sitemap.entries.len() > 1000);
    // An invalid byte in a text does not end the file.
    let sitemap = read_all(b"<urlset><url><loc>/\xFF</loc></url><url><loc>/b</loc></url></urlset>").unwrap();
    assert_eq!((sitemap.entries.len(), sitemap.damaged), (2, None));
}

#[test]
fn limits_hold_for_entries_and_unpacked_bytes() {
    let file = urlset(50);
    let list: String = (0..50).map(|index| format!("https://gazette.example/{index}\n")).collect();
    for file in [file.as_bytes(), list.as_bytes(), &gzip(file.as_bytes()), &gzip(list.as_bytes())] {
        for (limits, most) in [
            (Limits { entries: 7, ..Limits::default() }, 7),
            (Limits { bytes: 500, ..Limits::default() }, 20),
        ] {
            let sitemap = parse(file, &base(), limits).unwrap();
            assert!((5..=most).contains(&sitemap.entries.len()), "{}", sitemap.entries.len());
            assert!(sitemap.truncated);
            assert_eq!(sitemap.damaged, None);
        }
        let sitemap = parse(file, &base(), Limits { entries: 50, ..Limits::default() }).unwrap();
        assert_eq!((sitemap.entries.len(), sitemap.truncated), (50, false));
    }
}

#[test]
fn bombs_and_depth_cost_no_more_than_the_limit() {
    let mut bomb = b"<urlset><url><loc>".to_vec();
    bomb.resize(30 << 20, b'a');
    let sitemap = parse(&gzip(&bomb), &base(), Limits { bytes: 1 << 20, ..Limits::default() }).unwrap();
    assert!(sitemap.truncated && sitemap.entries.is_empty());
    let deep = format!("<urlset>{}", "<url>".repeat(200_000));
    assert!(read_all(deep.as_bytes()).unwrap().damaged.is_some());
    let long = format!("<urlset><url><loc>/{}</loc></url></urlset>", "&amp;a".repeat(100_000));
    assert_eq!(read_all(long.as_bytes()).unwrap().skipped, 1);
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read(bytes: Vec<u8>, cut in 0..NEWS.len()) {
        let _ = read_all(&bytes);
        let mut file = NEWS.as_bytes()[..cut].to_vec();
        file.extend(bytes);
        let _ = read_all(&file);
    }
}
