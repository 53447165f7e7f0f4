//! The bodies of the fuzz targets on generated inputs.

#[path = "../../../../fuzz/src/extraction.rs"]
#[allow(unreachable_pub, missing_docs)]
mod extraction;

/// Pieces of pages, feeds and dates, between bars.
const TOKENS: &str = "<p>|</p>|<div class=comment>|</div>|<article>|<h1>|</h1>|<a href=/rain>|</a>|<table>|<tr>|<td>|</table>|\
    <pre>|<code>|<ul>|<li>|<ol start=-9>|<dl><dt>|<dd>|<blockquote>|<img src=a.jpg alt=Boat>|<figure>|<figcaption>|\
    <math><mi>x|<svg>|<script>|</script>|<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"headline\":|\
    <time datetime=2010-12-15>|<meta property=og:title content=Rain>|<title>|<br>|<div hidden>|<span style=display:none>|\
    &nbsp;|&#x202E;|It rained in the harbour on Monday, for the first time since spring. |中文，句子。|سلام|2010年12月15日|\
    15 December 2010|3 hours ago|yesterday|12/15/2010 8:30 pm|By Ada Byron|<!--|-->|<![CDATA[|<rss><channel>|<item>|\
    <link>https://example.com/a</link>|</item>|<feed>|<entry>|<pubDate>|{|]|\"items\":[|\u{0}|\u{feff}|\u{d7ff}|\n\n";

/// Inputs of up to 60 tokens, some of them with damaged bytes; the same in every run.
fn inputs(count: u64) -> impl Iterator<Item = Vec<u8>> {
    let tokens: Vec<&str> = TOKENS.split('|').collect();
    (0..count).map(move |seed| {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % below
        };
        let mut bytes = vec![seed as u8];
        for _ in 0..next(60) {
            bytes.extend(tokens[next(tokens.len())].as_bytes());
        }
        if next(4) == 0 {
            let place = next(bytes.len());
            bytes[place] ^= next(255) as u8;
        }
        bytes
    })
}

#[test]
fn pages_of_any_kind_are_extracted_in_every_format() {
    inputs(400).for_each(|input| extraction::extract(&input));
}

#[test]
fn feeds_of_any_kind_are_read() {
    inputs(400).for_each(|input| extraction::feed(&input[1..]));
}

#[test]
fn dates_are_found_in_any_text() {
    inputs(400).for_each(|input| extraction::dates(&input));
}
