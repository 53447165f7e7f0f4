//! HTTP responses as stored by crawlers: status, content type and decoded body.

use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

use crate::page_error::PageError;

/// The relevant parts of a response.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<String>,
    /// The decoded body, or why there is none.
    pub(crate) body: Result<Vec<u8>, PageError>,
    /// Why only part of the body could be read.
    pub(crate) fault: Option<String>,
}

/// Maximum number of headers, against attacks.
const MAX_HEADERS: usize = 1_000;
/// Maximum number of nested codings, against attacks.
const MAX_CODINGS: usize = 4;

/// Parses a response. Without a head, everything is the body.
pub(crate) fn answer(bytes: Vec<u8>, most: u32) -> Answer {
    let mut answer = Answer { status: None, content_type: None, body: Ok(Vec::new()), fault: None };
    answer.body = if bytes.starts_with(b"HTTP/") { answer.unwrapped(bytes, most) } else { Ok(bytes) };
    answer
}

impl Answer {
    /// Decodes the body, and records what the head declares.
    fn unwrapped(&mut self, mut body: Vec<u8>, most: u32) -> Result<Vec<u8>, PageError> {
        let (mut chunked, mut codings) = (false, Vec::new());
        let mut at = 0;
        for number in 0..MAX_HEADERS {
            let end = memchr::memchr(b'\n', &body[at..]);
            let end = end.ok_or_else(|| PageError::Body("the HTTP header does not end".to_owned()))?;
            let line = String::from_utf8_lossy(body[at..at + end].trim_ascii());
            at += end + 1;
            if line.is_empty() {
                break;
            }
            if number == 0 {
                self.status = line.split_ascii_whitespace().nth(1).and_then(|status| status.parse().ok());
            }
            let Some((name, value)) = line.split_once(':').filter(|_| number > 0) else { continue };
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "content-type" => self.content_type = Some(value.to_owned()),
                "content-encoding" => {
                    let value = value.to_ascii_lowercase();
                    codings.extend(value.split(',').map(|coding| coding.trim().to_owned()));
                }
                "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
                _ => {}
            }
        }
        body.drain(..at);
        // Many crawlers decode the body but keep the headers, so codings are removed only if the data has them.
        if chunked && let Some((joined, fault)) = joined(&body) {
            (body, self.fault) = (joined, fault.map(str::to_owned));
        }
        let count = codings.len();
        if count > MAX_CODINGS {
            let what =
                format!("the body has {count} content encodings, more than the limit of {MAX_CODINGS}");
            return Err(PageError::Body(what));
        }
        // The last coding is the outermost.
        for coding in codings.iter().rev() {
            let unpacked = decoded(&body, coding, most).map_err(|what| {
                let before = self.fault.take().map(|fault| format!("{fault}; ")).unwrap_or_default();
                PageError::Body(before + &what)
            })?;
            if let Some((unpacked, fault)) = unpacked {
                body = unpacked;
                self.fault = self.fault.take().or(fault);
            }
            if body.len() > most as usize {
                break;
            }
        }
        if body.len() > most as usize { Err(PageError::TooLarge(most)) } else { Ok(body) }
    }
}

/// The joined chunks, and the error in them; `None` if the body is not chunked.
fn joined(mut rest: &[u8]) -> Option<(Vec<u8>, Option<&'static str>)> {
    let size_of = |rest: &[u8]| {
        let end = memchr::memchr(b'\n', &rest[..rest.len().min(200)])?;
        let size = std::str::from_utf8(&rest[..end]).ok()?.split(';').next()?.trim();
        Some((end + 1, usize::from_str_radix(size, 16).ok()?))
    };
    let mut whole = Vec::with_capacity(rest.len());
    let mut next = Some(size_of(rest)?);
    loop {
        if rest.is_empty() {
            return Some((whole, Some("the body is truncated: the last chunk is missing")));
        }
        let Some((head, size)) = next else {
            return Some((whole, Some("the body is damaged: invalid chunk size")));
        };
        rest = &rest[head..];
        if size == 0 {
            return Some((whole, None));
        }
        let Some((chunk, behind)) = rest.split_at_checked(size) else {
            whole.extend_from_slice(rest);
            return Some((whole, Some("the body is truncated in the middle of a chunk")));
        };
        whole.extend_from_slice(chunk);
        rest = behind.strip_prefix(b"\r\n").or_else(|| behind.strip_prefix(b"\n")).unwrap_or(behind);
        next = size_of(rest);
    }
}

/// Bytes, and why they are incomplete.
type Decoded = (Vec<u8>, Option<String>);

/// Removes one content coding, as far as the data goes. `None` if the body is not encoded so, whatever its headers say.
pub(crate) fn decoded(body: &[u8], coding: &str, most: u32) -> Result<Option<Decoded>, String> {
    let most = u64::from(most) + 1;
    let mut whole = Vec::new();
    let read = match coding {
        "gzip" | "x-gzip" if body.starts_with(GZIP) => members(body, most, &mut whole),
        // Some servers omit the zlib header.
        "deflate" if !looks_like_text(body) && !body.is_empty() => {
            let head = [body[0], body.get(1).copied().unwrap_or_default()];
            let has_head = head[0] & 0x0F == 8 && u16::from_be_bytes(head).is_multiple_of(31);
            let mut read = inflated(body, has_head, most, &mut whole);
            if read.is_err() && has_head && whole.is_empty() {
                read = inflated(body, false, most, &mut whole);
            }
            read
        }
        "zstd" if body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => {
            ruzstd::decoding::StreamingDecoder::new(body)
                .map_err(io::Error::other)
                .and_then(|unpacked| unpacked.take(most).read_to_end(&mut whole))
                .map(drop)
        }
        // Brotli has no magic bytes.
        "br" if !looks_like_text(body) => {
            brotli_decompressor::Decompressor::new(body, 4096).take(most).read_to_end(&mut whole).map(drop)
        }
        _ => return Ok(None),
    };
    match read {
        Ok(()) => Ok(Some((whole, None))),
        Err(error) if whole.is_empty() => Err(format!("cannot decompress the page ({coding}): {error}")),
        Err(error) => {
            let fault =
                format!("truncated or damaged, only a part could be decompressed ({coding}): {error}");
            Ok(Some((whole, Some(fault))))
        }
    }
}

pub(crate) const GZIP: &[u8] = &[0x1F, 0x8B];

/// All gzip members. Other data after the first member is ignored, as in browsers.
fn members(mut body: &[u8], most: u64, whole: &mut Vec<u8>) -> io::Result<()> {
    while body.starts_with(GZIP) && (whole.len() as u64) < most {
        let mut member = flate2::bufread::GzDecoder::new(body);
        let room = most - whole.len() as u64;
        (&mut member).take(room).read_to_end(whole)?;
        body = member.into_inner();
    }
    Ok(())
}

/// Unlike a reader, this distinguishes a complete stream from a truncated one.
fn inflated(body: &[u8], has_head: bool, most: u64, whole: &mut Vec<u8>) -> io::Result<()> {
    let mut inflater = Decompress::new(has_head);
    while (whole.len() as u64) < most {
        whole.reserve(64 << 10);
        let before = (inflater.total_in(), whole.len());
        let rest = body.get(before.0 as usize..).unwrap_or_default();
        let status = inflater.decompress_vec(rest, whole, FlushDecompress::None).map_err(io::Error::other)?;
        if status == Status::StreamEnd {
            return Ok(());
        }
        if before == (inflater.total_in(), whole.len()) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

/// Whether bytes look like text: compressed data soon has other bytes, whereas pages begin with markup or ASCII.
fn looks_like_text(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body).trim_ascii_start();
    let begin = &body[..body.len().min(64)];
    begin.iter().all(|byte| *byte >= b' ' || b"\t\r\n\x0C".contains(byte))
        && (begin.starts_with(b"<") || begin.is_ascii())
        && body.iter().take(1024).any(|byte| *byte == b'<')
}

/// The media type without parameters.
pub(crate) fn media_type(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Whether a media type may be a page. Servers often mislabel pages, so only types that never are pages are refused.
pub(crate) fn may_be_page(content_type: &str) -> bool {
    let kind = media_type(content_type).to_ascii_lowercase();
    let subtype = kind.rsplit(['/', '+']).next().unwrap_or_default();
    !["image/", "video/", "audio/", "font/"].iter().any(|family| kind.starts_with(family))
        && !matches!(subtype, "json" | "javascript" | "x-javascript" | "css" | "pdf" | "zip")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_body_comes_out_of_its_wrappings() {
        let packed = gzip(b"<p>Rain");
        let mut bytes = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=gbk\r\ncontent-encoding: gzip\r\n\
             Transfer-Encoding: chunked\r\n\r\n{:x};x=y\r\n",
            packed.len()
        )
        .into_bytes();
        bytes.extend_from_slice(&packed);
        bytes.extend_from_slice(b"\r\n0\r\n\r\n");
        let answer = answer(bytes, 1000);
        assert_eq!(
            (answer.status, answer.content_type.as_deref()),
            (Some(200), Some("text/html; charset=gbk"))
        );
        assert_eq!((answer.body.as_deref(), answer.fault), (Ok(b"<p>Rain".as_slice()), None));
    }

    #[test]
    fn bodies_of_every_coding_are_unpacked_and_bombs_do_not_go_off() {
        let zstd = |bytes: &[u8]| {
            ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
        };
        // An uncompressed Brotli stream: a window, seven literal bytes, and the end.
        let brotli = [&[0x0B, 0x03, 0x80][..], b"<p>Rain", &[0x03]].concat();
        for (coding, packed) in [("zstd", zstd(b"<p>Rain")), ("br", brotli)] {
            let answer = answer(packed_as(coding, &packed), 1000);
            assert_eq!(answer.body.as_deref(), Ok(b"<p>Rain".as_slice()), "{coding}");
        }
        for (coding, bomb) in [("zstd", zstd(&[b' '; 1 << 20])), ("gzip", gzip(&[b' '; 1 << 20]))] {
            assert_eq!(
                answer(packed_as(coding, &bomb), 1000).body,
                Err(PageError::TooLarge(1000)),
                "{coding}"
            );
        }
        let noise = answer(packed_as("br", b"\xFF\xFE\x00\x01\xFF\xFF"), 1000);
        assert!(noise.body.unwrap_err().to_string().contains("cannot decompress the page (br)"));
        assert!(answer(b"HTTP/1.1 200 OK\r\nX: y".to_vec(), 9).body.is_err());
    }

    #[test]
    fn headers_of_wrappings_that_are_gone_do_no_harm() {
        for body in ["<p>Rain", "", "5\r\n<p>Ra\r\n2\r\nin\r\n0\r\n\r\n"] {
            let head = "HTTP/1.1 404 Not Found\nContent-Encoding: br\nTransfer-Encoding: chunked\n\n";
            let answer = answer(format!("{head}{body}").into_bytes(), 1000);
            assert_eq!(answer.status, Some(404));
            if !body.is_empty() {
                assert_eq!((answer.body.as_deref(), answer.fault), (Ok(b"<p>Rain".as_slice()), None));
            }
        }
    }

    fn packed_as(coding: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = format!("HTTP/1.1 203 OK\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
        bytes.extend_from_slice(body);
        bytes
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    /// Poorly compressible letters, so that half of the bytes is about half of the text.
    fn noise() -> Vec<u8> {
        let mut state = 7_u64;
        let letter = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            b'a' + (state >> 40) as u8 % 26
        };
        (0..4_000).map(letter).collect()
    }

    #[test]
    fn deflate_without_a_header_and_nested_codings_are_decoded() {
        let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        raw.write_all(b"<p>Rain").unwrap();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(b"<p>Rain").unwrap();
        let mut with_noise = gzip(b"<p>Rain");
        with_noise.extend_from_slice(b"\0\0noise");
        for (coding, body) in [
            ("deflate", raw.finish().unwrap()),
            ("deflate", zlib.finish().unwrap()),
            ("gzip, gzip", gzip(&gzip(b"<p>Rain"))),
            ("gzip\r\nContent-Encoding: x-gzip", gzip(&gzip(b"<p>Rain"))),
            ("gzip", [gzip(b"<p>"), gzip(b"Rain")].concat()),
            ("gzip", with_noise),
            ("identity", b"<p>Rain".to_vec()),
        ] {
            let answer = answer(packed_as(coding, &body), 1000);
            assert_eq!((answer.body.as_deref(), answer.fault), (Ok(b"<p>Rain".as_slice()), None), "{coding}");
        }
        assert!(answer(packed_as("gzip,gzip,gzip,gzip,gzip", b""), 9).body.is_err());
    }

    #[test]
    fn the_status_is_kept_if_the_body_cannot_be_decoded() {
        let answer = answer(packed_as("gzip", b"\x1F\x8B\xFF\xFF"), 1000);
        assert!(answer.status == Some(203) && answer.body.is_err(), "{answer:?}");
    }

    #[test]
    fn a_truncated_or_damaged_body_has_a_fault() {
        let text = noise();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(&text).unwrap();
        let zlib = zlib.finish().unwrap();
        let gzip = gzip(&text);
        let mut wrong_sum = gzip.clone();
        let sum = wrong_sum.len() - 8;
        wrong_sum[sum] ^= 1;
        for (coding, body) in [
            ("gzip", &gzip[..gzip.len() / 2]),
            ("gzip", &gzip[..gzip.len() - 4]),
            ("gzip", &wrong_sum),
            ("deflate", &zlib[..zlib.len() / 2]),
            ("deflate", &zlib[2..zlib.len() / 2]),
        ] {
            let answer = answer(packed_as(coding, body), 100_000);
            let fault = answer.fault.unwrap_or_else(|| panic!("{coding}"));
            assert!(fault.contains("truncated or damaged"), "{fault}");
            let body = answer.body.unwrap();
            assert!(body.len() > 1_000 && text.starts_with(&body), "{coding} {}", body.len());
        }
        for (body, what) in [
            ("5\r\n<p>Ra\r\n2\r\ni", "in the middle of a chunk"),
            ("5\r\n<p>Ra\r\n", "the last chunk is missing"),
            ("5\r\n<p>Ra\r\nzz\r\nin", "invalid chunk size"),
        ] {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            let answer = answer(format!("{head}{body}").into_bytes(), 1000);
            assert!(answer.body.unwrap().starts_with(b"<p>Ra"), "{body}");
            assert!(answer.fault.unwrap().contains(what), "{body}");
        }
    }
}
