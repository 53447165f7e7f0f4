//! Answers of servers as crawlers keep them: the status, the type, and the body out of its wrappings.

use std::io::{self, Read};

/// What matters of an answer.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// Headers that one looks at; more would be an attack.
const MOST_HEADERS: usize = 1_000;

/// Takes an answer apart. What has no head is all body.
pub(crate) fn answer(bytes: Vec<u8>, most: u32) -> Result<Answer, String> {
    if !bytes.starts_with(b"HTTP/") {
        return Ok(Answer { body: bytes, ..Answer::default() });
    }
    let mut answer = Answer::default();
    let (mut chunked, mut coding) = (false, String::new());
    let mut at = 0;
    for number in 0..MOST_HEADERS {
        let Some(end) = memchr::memchr(b'\n', &bytes[at..]) else {
            return Err("the head of the answer does not end".to_owned());
        };
        let line = bytes[at..at + end].trim_ascii();
        at += end + 1;
        if line.is_empty() {
            break;
        }
        let line = String::from_utf8_lossy(line);
        if number == 0 {
            answer.status = line.split_ascii_whitespace().nth(1).and_then(|status| status.parse().ok());
            continue;
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "content-type" => answer.content_type = Some(value.to_owned()),
            "content-encoding" => coding = value.to_ascii_lowercase(),
            "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
            _ => {}
        }
    }
    let mut body = bytes;
    body.drain(..at);
    // Many crawlers unwrap the body and keep the headers: what does not look wrapped is not.
    if chunked && let Some(joined) = joined(&body) {
        body = joined;
    }
    answer.body = decoded(body, &coding, most)?;
    if answer.body.len() > most as usize {
        return Err(format!("it has more than {most} bytes: raise --max-bytes"));
    }
    Ok(answer)
}

/// Chunks put together; nothing where there are none.
fn joined(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(rest.len());
    loop {
        let end = memchr::memchr(b'\n', &rest[..rest.len().min(200)])?;
        let size = std::str::from_utf8(&rest[..end]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        rest = &rest[end + 1..];
        if size == 0 {
            return Some(whole);
        }
        // The last chunk of a page that was cut off.
        let Some((chunk, behind)) = rest.split_at_checked(size) else {
            whole.extend_from_slice(rest);
            return Some(whole);
        };
        whole.extend_from_slice(chunk);
        rest = behind.strip_prefix(b"\r\n").or_else(|| behind.strip_prefix(b"\n")).unwrap_or(behind);
        if rest.is_empty() {
            return Some(whole);
        }
    }
}

fn decoded(body: Vec<u8>, coding: &str, most: u32) -> Result<Vec<u8>, String> {
    let most = u64::from(most) + 1;
    let mut whole = Vec::new();
    let read = match coding.trim() {
        "gzip" | "x-gzip" if body.starts_with(&[0x1F, 0x8B]) => {
            flate2::read::MultiGzDecoder::new(body.as_slice()).take(most).read_to_end(&mut whole)
        }
        "deflate" if body.first().is_some_and(|first| first & 0x0F == 8) => {
            flate2::read::ZlibDecoder::new(body.as_slice()).take(most).read_to_end(&mut whole)
        }
        "zstd" if body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => {
            ruzstd::decoding::StreamingDecoder::new(body.as_slice())
                .map_err(io::Error::other)
                .and_then(|unpacked| unpacked.take(most).read_to_end(&mut whole))
        }
        // It has no sign that it begins with.
        "br" if !looks_like_text(&body) => {
            brotli_decompressor::Decompressor::new(body.as_slice(), 4096).take(most).read_to_end(&mut whole)
        }
        _ => return Ok(body),
    };
    match read {
        // What was cut off is read as far as it goes.
        Err(_) if !whole.is_empty() => Ok(whole),
        Err(error) => Err(format!("its body cannot be unpacked ({coding}): {error}")),
        Ok(_) => Ok(whole),
    }
}

fn looks_like_text(body: &[u8]) -> bool {
    body.iter().take(64).all(|byte| *byte >= b' ' || b"\t\r\n\x0C".contains(byte))
        && body.iter().take(1024).any(|byte| *byte == b'<')
}

/// What a type is, without what is said besides.
pub(crate) fn media_type(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Is it worth looking into, by what the server says that it is?
pub(crate) fn may_be_page(content_type: &str) -> bool {
    let kind = media_type(content_type).to_ascii_lowercase();
    !["image/", "video/", "audio/", "font/"].iter().any(|start| kind.starts_with(start))
        && !matches!(
            kind.as_str(),
            "application/json"
                | "application/javascript"
                | "application/x-javascript"
                | "text/javascript"
                | "text/css"
                | "application/pdf"
                | "application/zip"
        )
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_body_comes_out_of_its_wrappings() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"<p>Rain").unwrap();
        let packed = packed.finish().unwrap();
        let mut bytes = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=gbk\r\ncontent-encoding: gzip\r\n\
             Transfer-Encoding: chunked\r\n\r\n{:x};x=y\r\n",
            packed.len()
        )
        .into_bytes();
        bytes.extend_from_slice(&packed);
        bytes.extend_from_slice(b"\r\n0\r\n\r\n");
        let answer = answer(bytes, 1000).unwrap();
        assert_eq!(
            (answer.status, answer.content_type.as_deref()),
            (Some(200), Some("text/html; charset=gbk"))
        );
        assert_eq!(answer.body, b"<p>Rain");
    }

    #[test]
    fn bodies_packed_as_zstandard_and_brotli_were_not_read() {
        let zstd = |bytes: &[u8]| {
            ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
        };
        // Brotli as it is stored: a window, a piece of seven bytes as they are, and the end.
        let brotli = [&[0x0B, 0x03, 0x80][..], b"<p>Rain", &[0x03]].concat();
        for (coding, packed) in [("zstd", zstd(b"<p>Rain")), ("br", brotli)] {
            let mut bytes = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
            bytes.extend_from_slice(&packed);
            assert_eq!(answer(bytes, 1000).unwrap().body, b"<p>Rain", "{coding}");
        }
        let mut bomb = b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n".to_vec();
        bomb.extend_from_slice(&zstd(&vec![b' '; 1 << 20]));
        assert!(answer(bomb, 1000).unwrap_err().contains("--max-bytes"));
        let noise = b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xFF\xFE\x00\x01\xFF\xFF".to_vec();
        assert!(answer(noise, 1000).unwrap_err().contains("cannot be unpacked (br)"));
    }

    #[test]
    fn headers_of_wrappings_that_are_gone_do_no_harm() {
        for body in ["<p>Rain", "", "5\r\n<p>Ra\r\n2\r\nin\r\n0\r\n\r\n"] {
            let head = "HTTP/1.1 404 Not Found\nContent-Encoding: br\nTransfer-Encoding: chunked\n\n";
            let answer = answer(format!("{head}{body}").into_bytes(), 1000);
            let answer = match body {
                "" => continue,
                _ => answer.unwrap(),
            };
            assert_eq!((answer.status, answer.body.as_slice()), (Some(404), b"<p>Rain".as_slice()));
        }
    }

    #[test]
    fn a_bomb_does_not_go_off() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
        let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".to_vec();
        bytes.extend_from_slice(&packed.finish().unwrap());
        assert!(answer(bytes, 1000).unwrap_err().contains("--max-bytes"));
        assert!(answer(b"HTTP/1.1 200 OK\r\nX: y".to_vec(), 9).is_err());
    }
}
