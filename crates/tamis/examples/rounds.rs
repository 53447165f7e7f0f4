//! Extracts the text of every page of a list, several times: the program that `cargo xtask stages` profiles.
//!
//! Usage: `rounds LIST ROUNDS`, where LIST has one path per line.

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().unwrap_or_default();
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let pages: Vec<Vec<u8>> =
        std::fs::read_to_string(list)?.lines().map(std::fs::read).collect::<std::io::Result<_>>()?;
    let extractor = tamis::Extractor::new();
    for _ in 0..rounds {
        for page in &pages {
            std::hint::black_box(extractor.extract_text(page).unwrap_or_default());
        }
    }
    Ok(())
}
