//! Decodes `Content-Encoding` with a size limit.
//!
//! reqwest can decode, but without a limit on the output, and it fails if a server declares an encoding and sends plain
//! text.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use flate2::bufread::GzDecoder;
use flate2::{Decompress, FlushDecompress, Status};

use crate::error::Error;

/// Most nested encodings; more are an attack.
const MAX_ENCODINGS: usize = 3;

/// Most gzip members, since even an empty one costs a new decoder.
const MAX_GZIP_MEMBERS: usize = 10_000;

/// The encodings that [`decode`] supports.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, deflate, br";

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];

/// A body, possibly truncated.
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// Whether we truncated it at the limit.
    pub(crate) truncated: bool,
}

/// Undoes the encodings, listed in the order in which the server applied them.
///
/// A plain body is returned unchanged, even if the header declares an encoding. A damaged or truncated body is an
/// error, since a partial page would pass for a whole one, unless we truncated it ourselves (`truncate`).
pub(crate) fn decode(mut body: Body, encodings: &[&str], max: u64, truncate: bool) -> Result<Body, Error> {
    if encodings.len() > MAX_ENCODINGS {
        return Err(Error::Encoding(format!("{} encodings, at most {MAX_ENCODINGS}", encodings.len())));
    }
    for encoding in encodings.iter().rev() {
        if body.bytes.is_empty() || looks_like_text(&body.bytes) {
            break;
        }
        let mut decoded = Vec::new();
        // One byte more distinguishes a body that fills the limit from one that exceeds it.
        let outcome = match encoding.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" if body.bytes.starts_with(GZIP_MAGIC) => {
                gunzip(&body.bytes, max.saturating_add(1), &mut decoded)
            }
            "deflate" => inflate(&body.bytes, max.saturating_add(1), &mut decoded),
            "br" => Decompressor::new(body.bytes.as_slice(), 4096)
                .take(max.saturating_add(1))
                .read_to_end(&mut decoded)
                .map(drop),
            "zstd" | "compress" | "x-compress" => Err(io::Error::other("not supported")),
            _ => continue,
        };
        if let Err(error) = outcome
            && !body.truncated
        {
            return Err(Error::Encoding(format!("{}: {error}", encoding.to_ascii_lowercase())));
        }
        body.bytes = decoded;
        if body.bytes.len() as u64 > max {
            if !truncate {
                return Err(Error::TooLarge(max));
            }
            body.bytes.pop();
            body.truncated = true;
        }
    }
    Ok(body)
}

/// Decodes all gzip members. Like browsers, ignores data after the last one.
fn gunzip(mut body: &[u8], max: u64, decoded: &mut Vec<u8>) -> io::Result<()> {
    let mut members = 0;
    while body.starts_with(GZIP_MAGIC) && (decoded.len() as u64) < max {
        members += 1;
        if members > MAX_GZIP_MEMBERS {
            return Err(io::Error::other("too many members"));
        }
        let mut member = GzDecoder::new(body);
        (&mut member).take(max - decoded.len() as u64).read_to_end(decoded)?;
        body = member.into_inner();
    }
    Ok(())
}

/// Decodes `deflate`, which is zlib; some servers omit its header.
///
/// Unlike the readers of flate2, this distinguishes the end of a stream from truncation.
fn inflate(body: &[u8], max: u64, decoded: &mut Vec<u8>) -> io::Result<()> {
    let has_header = body.first().is_some_and(|first| first & 0x0F == 8)
        && body.first_chunk().is_some_and(|header| u16::from_be_bytes(*header).is_multiple_of(31));
    let mut inflater = Decompress::new(has_header);
    let mut buffer = vec![0; 32 << 10];
    let mut rest = body;
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        let status =
            inflater.decompress(rest, &mut buffer, FlushDecompress::None).map_err(io::Error::other)?;
        let (read, written) = (inflater.total_in() - read, inflater.total_out() - written);
        let room = max - decoded.len() as u64;
        decoded.extend_from_slice(buffer.get(..written.min(room) as usize).unwrap_or(&buffer));
        rest = rest.get(read as usize..).unwrap_or_default();
        if status == Status::StreamEnd || written >= room {
            return Ok(());
        }
        if read == 0 && written == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Whether a body is not compressed after all: compressed data contains control characters early, is not UTF-8 and does
/// not begin with markup.
fn looks_like_text(body: &[u8]) -> bool {
    let start = &body[..body.len().min(512)];
    let is_utf8 = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && start.len() == 512,
    };
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\x0C\r".contains(byte);
    !start.iter().any(is_control) && (is_utf8 || start.trim_ascii_start().starts_with(b"<"))
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    const TEXT: &[u8; 7] = b"<p>Rain";

    fn encoded(mut encoder: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoder.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        encoded(GzEncoder::new(bytes, Compression::best()))
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        encoded(ZlibEncoder::new(bytes, Compression::best()))
    }

    fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
        encoded(DeflateEncoder::new(bytes, Compression::best()))
    }

    /// A stored block of seven bytes, and the end.
    fn brotli(bytes: &[u8; 7]) -> Vec<u8> {
        [&[0x0B, 0x03, 0x80][..], bytes, &[0x03]].concat()
    }

    fn decoded(bytes: &[u8], header: &str, max: u64, truncate: bool) -> Result<Body, Error> {
        let encodings: Vec<&str> = header.split(',').map(str::trim).collect();
        decode(Body { bytes: bytes.to_vec(), truncated: false }, &encodings, max, truncate)
    }

    #[test]
    fn bodies_are_decoded_and_plain_ones_left_alone() {
        for (header, body) in [
            ("gzip", gzip(TEXT)),
            ("X-GZIP", gzip(TEXT)),
            ("gzip", [gzip(b"<p>"), gzip(b"Rain")].concat()),
            ("gzip", [gzip(TEXT).as_slice(), b"\0\0noise"].concat()),
            ("deflate", zlib(TEXT)),
            ("deflate", raw_deflate(TEXT)),
            ("br", brotli(TEXT)),
            ("gzip, gzip", gzip(&gzip(TEXT))),
            ("deflate, identity, gzip", gzip(&zlib(TEXT))),
            // The header is wrong.
            ("gzip", TEXT.to_vec()),
            ("deflate", TEXT.to_vec()),
            ("br", TEXT.to_vec()),
            ("zstd", TEXT.to_vec()),
            ("gzip, gzip, gzip", gzip(TEXT)),
            ("utf-8", TEXT.to_vec()),
            ("", TEXT.to_vec()),
        ] {
            let body = decoded(&body, header, 64, false).unwrap();
            assert_eq!((body.bytes.as_slice(), body.truncated), (TEXT.as_slice(), false), "{header}");
        }
        assert_eq!(decoded(&gzip(TEXT), "gzip", 7, false).unwrap().bytes, TEXT);
        for plain in ["", "User-agent: *", "никто", "n"] {
            assert_eq!(decoded(plain.as_bytes(), "br", 99, false).unwrap().bytes, plain.as_bytes());
        }
    }

    #[test]
    fn bombs_are_decoded_up_to_the_limit() {
        let spaces = vec![b' '; 1 << 20];
        for (header, bomb) in [
            ("gzip", gzip(&spaces)),
            ("deflate", zlib(&spaces)),
            ("deflate", raw_deflate(&spaces)),
            ("gzip, gzip", gzip(&gzip(&spaces))),
            ("gzip", gzip(b" ").repeat(2000)),
        ] {
            assert_eq!(decoded(&bomb, header, 1000, false).err(), Some(Error::TooLarge(1000)), "{header}");
            let cut = decoded(&bomb, header, 1000, true).unwrap();
            assert_eq!((cut.bytes.as_slice(), cut.truncated), (&spaces[..1000], true), "{header}");
        }
        assert!(matches!(decoded(&gzip(TEXT), "gzip, gzip, gzip, gzip", 99, true), Err(Error::Encoding(_))));
    }

    #[test]
    fn damaged_and_cut_off_bodies_are_errors_unless_cut_by_us() {
        let text: Vec<u8> = (0..2000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let half = |body: Vec<u8>| body[..body.len() / 2].to_vec();
        for (header, body) in [
            ("gzip", half(gzip(&text))),
            ("deflate", half(zlib(&text))),
            ("deflate", half(raw_deflate(&text))),
            ("br", half(brotli(TEXT))),
            ("gzip", b"\x1F\x8B\xFF\xFF".to_vec()),
            ("gzip", gzip(b"").repeat(MAX_GZIP_MEMBERS + 1)),
            ("br", b"\xFF\xFE\x00\x01\xFF\xFF".to_vec()),
            ("zstd", b"\x28\xB5\x2F\xFD\x00".to_vec()),
        ] {
            let outcome = decoded(&body, header, 1 << 20, true);
            assert!(matches!(outcome, Err(Error::Encoding(_))), "{header}");
        }
        let cut = Body { bytes: half(gzip(&text)), truncated: true };
        let part = decode(cut, &["gzip"], 1 << 20, true).unwrap();
        assert!(part.truncated && part.bytes.len() > 1000 && text.starts_with(&part.bytes));
    }
}
