//! Pages that a browser saved as one file (`.mht`, `.mhtml`): the first HTML part of a MIME message, RFC 2557.

/// Maximum size of a message header.
const MAX_HEADER: usize = 64 << 10;
/// Maximum number of parts that are searched.
const MAX_PARTS: usize = 10_000;
/// Maximum nesting of messages; every level reads its part of the file again.
const MAX_DEPTH: u8 = 8;

/// The page inside an MHTML file.
pub(crate) struct Part {
    pub(crate) html: Vec<u8>,
    /// With the charset, if the part declares one.
    pub(crate) content_type: String,
    /// `Content-Location`: the URL that the page was saved from.
    pub(crate) url: Option<String>,
}

/// Whether bytes look like an MHTML file: a MIME header that declares parts.
pub(crate) fn is_mhtml(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    // Pages start with markup; only what starts like a header field is worth parsing.
    let name = start.iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-')).unwrap_or(0);
    start.get(name) == Some(&b':') && name > 1 && {
        let header = Header::parse(start).0;
        header.field("mime-version").is_some() && header.is_multipart()
    }
}

/// Finds the first part that is a page, and decodes it.
pub(crate) fn read(bytes: &[u8]) -> Option<Part> {
    let (root, body) = Header::parse(bytes.trim_ascii_start());
    let root_url = root.field("snapshot-content-location").or_else(|| root.field("content-location"));
    // Entities still to be searched, the first on top.
    let mut open = vec![(0, root, body)];
    for _ in 0..MAX_PARTS {
        let Some((depth, header, body)) = open.pop() else { break };
        if header.is_page() {
            let content_type = header.field("content-type").unwrap_or_default();
            let url = header.field("content-location").filter(|url| url.contains("://")).or(root_url);
            let encoding = header.field("content-transfer-encoding").unwrap_or_default();
            return Some(Part { html: decoded(body, &encoding), content_type, url });
        }
        if let Some(boundary) = header.boundary().filter(|_| depth < MAX_DEPTH) {
            let parts: Vec<&[u8]> = Parts { rest: body, boundary: &boundary }.take(MAX_PARTS).collect();
            open.extend(parts.into_iter().rev().map(|part| {
                let (header, body) = Header::parse(part);
                (depth + 1, header, body)
            }));
        }
    }
    None
}

/// The fields of a header, unfolded, names in lower case.
struct Header(Vec<(String, String)>);

impl Header {
    /// The header at the start of an entity, and the body after it.
    fn parse(entity: &[u8]) -> (Header, &[u8]) {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut rest = entity;
        let mut read = 0;
        while read < MAX_HEADER && !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
            let (line, after) = rest.split_at(end);
            rest = after;
            read += end;
            let line = String::from_utf8_lossy(line);
            let text = line.trim_end();
            if text.is_empty() {
                break;
            }
            if let (true, Some((_, value))) = (line.starts_with([' ', '\t']), fields.last_mut()) {
                value.push(' ');
                value.push_str(text.trim_start());
            } else if let Some((name, value)) = text.split_once(':') {
                fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        (Header(fields), rest)
    }

    fn field(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
    }

    fn media_type(&self) -> String {
        let content_type = self.field("content-type").unwrap_or_default();
        content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    fn is_multipart(&self) -> bool {
        self.media_type().starts_with("multipart/")
    }

    fn is_page(&self) -> bool {
        matches!(self.media_type().as_str(), "text/html" | "application/xhtml+xml")
    }

    fn boundary(&self) -> Option<String> {
        let content_type = self.field("content-type").filter(|_| self.is_multipart())?;
        let parameter = content_type.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"').to_owned())
        });
        parameter.filter(|boundary| !boundary.is_empty())
    }
}

/// The parts between lines of `--boundary`.
struct Parts<'b, 'n> {
    rest: &'b [u8],
    boundary: &'n str,
}

impl Parts<'_, '_> {
    /// Start and end of the next delimiter line.
    fn delimiter(&self, from: usize) -> Option<(usize, usize)> {
        let mut at = from;
        while at < self.rest.len() {
            let line = &self.rest[at..];
            let end = line.iter().position(|byte| *byte == b'\n').map_or(line.len(), |end| end + 1);
            let is_delimiter =
                line.strip_prefix(b"--").is_some_and(|l| l.starts_with(self.boundary.as_bytes()));
            if is_delimiter {
                return Some((at, at + end));
            }
            at += end;
        }
        None
    }
}

impl<'b> Iterator for Parts<'b, '_> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let (_, start) = self.delimiter(0)?;
        // A file that was cut off ends without a delimiter; its last part counts.
        let end = self.delimiter(start).map_or(self.rest.len(), |(end, _)| end);
        let part = &self.rest[start..end];
        self.rest = &self.rest[end..];
        (!part.is_empty()).then_some(part)
    }
}

fn decoded(body: &[u8], encoding: &str) -> Vec<u8> {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "quoted-printable" => quoted_printable(body),
        "base64" => base64(body),
        _ => body.to_vec(),
    }
}

fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| (*byte? as char).to_digit(16);
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(&byte) = body.get(at) {
        at += 1;
        if byte != b'=' {
            out.push(byte);
        } else if let (Some(high), Some(low)) = (digit(body.get(at)), digit(body.get(at + 1))) {
            out.push((high * 16 + low) as u8);
            at += 2;
        } else if body[at..].starts_with(b"\r\n") {
            at += 2;
        } else if body.get(at) == Some(&b'\n') {
            at += 1;
        } else {
            // Not an escape: kept as it is.
            out.push(byte);
        }
    }
    out
}

fn base64(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in body {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            // Line breaks and invalid characters.
            _ => continue,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(part: &str) -> String {
        format!(
            "From: <Saved by a browser>\r\nSnapshot-Content-Location: https://e.com/root\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--b--1\"\r\n\r\npreamble\r\n\
             ----b--1\r\nContent-Type: text/css\r\n\r\np {{ color: red }}\r\n----b--1\r\n{part}\r\n----b--1--\r\n"
        )
    }

    #[test]
    fn the_first_html_part_is_decoded() {
        for (part, html, url) in [
            (
                "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\
                 Content-Location: https://e.com/rain\r\n\r\n<p title=3D\"x\">R=C3=A4in =\r\nfell = 1",
                "<p title=\"x\">Räin fell = 1\r\n",
                "https://e.com/rain",
            ),
            (
                "Content-Type: TEXT/HTML\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+UmFp\r\nbjwvcD4=",
                "<p>Rain</p>",
                "https://e.com/root",
            ),
            (
                "Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: text/plain\r\n\r\nno\r\n\
                 --in\r\nContent-Type: text/html\r\n\r\n<p>Rain\r\n--in--",
                "<p>Rain\r\n",
                "https://e.com/root",
            ),
        ] {
            let message = message(part);
            assert!(is_mhtml(message.as_bytes()));
            let read = read(message.as_bytes()).unwrap();
            assert_eq!(
                (String::from_utf8_lossy(&read.html).as_ref(), read.url.as_deref()),
                (html, Some(url))
            );
        }
    }

    #[test]
    fn only_mime_messages_with_parts_are_mhtml() {
        for page in ["<p>MIME-Version: 1.0", "", "Note: it rained.\n\nMIME-Version: 1.0", ":", "a:b"] {
            assert!(!is_mhtml(page.as_bytes()), "{page}");
        }
        let without = message("Content-Type: image/png\r\n\r\nx");
        assert!(read(without.as_bytes()).is_none());
        // Cut off anywhere, with boundaries that repeat and nest in themselves.
        let whole = message(
            "Content-Type: multipart/mixed; boundary=\"--b--1\"\r\n\r\n----b--1\r\nContent-Type: text/html\r\n\r\n<p>",
        );
        for end in 0..whole.len() {
            let _ = read(&whole.as_bytes()[..end]);
        }
    }
}
