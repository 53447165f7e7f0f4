//! A first look at names and short texts: most of them have nothing that speaks of comments or threads, and one pass over
//! their bytes is enough to know it.
//!
//! Every word that is looked for has three letters in a row that few others have. Where none of these threes stands in a
//! text, none of the words does; where one stands, the words themselves must be looked for.

/// What a text may name, as far as the first look goes.
#[derive(Clone, Copy)]
pub(super) struct FirstLook(u64);

/// For each place of three, the letters that may stand there.
type Three = [&'static [u8]; 3];

/// In the words of comments, in names and in headings.
const OF_COMMENTS: [Three; 15] = [
    [b"o", b"m", b"m"],
    [b"o", b"m", b"e"],
    [b"c", b"m", b"t"],
    [b"i", b"s", b"q"],
    [b"u", b"i", b"f"],
    [b"i", b"s", b"s"],
    [b"i", b"u", b"y"],
    [b"g", b"l", b"u"],
    [b"e", b"a", b"c"],
    [b"e", b"p", b"l"],
    [b"e", b"s", b"p"],
    [b"u", b"t", b"t"],
    [b"y", b"o", b"r"],
    [b"h", b"o", b"u"],
    [b"n", b"t", b"w"],
];

/// In the names that only threads have: `postbody`, `post_container`, `authi`, `plhin`, `viewthread`, `topicbody`, `forumline`, `msgfont`.
const OF_THREADS: [Three; 6] = [
    [b"s", b"t", b"belmpr_"],
    [b"tl", b"h", b"i"],
    [b"h", b"r", b"e"],
    [b"o", b"p", b"i"],
    [b"u", b"m", b"l"],
    [b"g", b"f", b"o"],
];

const COMMENTS: usize = OF_COMMENTS.len();
const ALL: usize = COMMENTS + OF_THREADS.len();

/// A bit for the first letter of each three, from one of them up to another.
const fn first_letters(mut from: usize, to: usize) -> u64 {
    let mut bits = 0;
    while from < to {
        bits |= 1 << (3 * from);
        from += 1;
    }
    bits
}

const FIRST: u64 = first_letters(0, ALL);
const LAST_OF_COMMENTS: u64 = first_letters(0, COMMENTS) << 2;
const LAST_OF_THREADS: u64 = first_letters(COMMENTS, ALL) << 2;

/// For each byte, the places in all threes where it may stand, small or capital.
static LETTERS: [u64; 256] = {
    let mut letters = [0; 256];
    let mut place = 0;
    while place < 3 * ALL {
        let three =
            if place < 3 * COMMENTS { OF_COMMENTS[place / 3] } else { OF_THREADS[place / 3 - COMMENTS] };
        let choice = three[place % 3];
        let mut at = 0;
        while at < choice.len() {
            letters[choice[at] as usize] |= 1 << place;
            letters[choice[at].to_ascii_uppercase() as usize] |= 1 << place;
            at += 1;
        }
        place += 1;
    }
    letters
};

impl FirstLook {
    #[inline]
    pub(super) fn at(text: &str) -> FirstLook {
        // A bit for each letter of each three: set where all letters up to it have just been read.
        let (mut read, mut all) = (0_u64, 0);
        let mut look = |byte: &u8| {
            read = (read << 1 | FIRST) & LETTERS[usize::from(*byte)];
            all |= read;
        };
        // By fours, or the loop itself would cost as much as the look.
        let mut fours = text.as_bytes().chunks_exact(4);
        for four in &mut fours {
            four.iter().for_each(&mut look);
        }
        fours.remainder().iter().for_each(&mut look);
        FirstLook(all)
    }

    /// May there be a word that speaks of comments?
    #[inline]
    pub(super) fn may_name_comments(self) -> bool {
        self.0 & LAST_OF_COMMENTS != 0
    }

    /// May there be a word that only threads have?
    #[inline]
    pub(super) fn may_name_thread(self) -> bool {
        self.0 & LAST_OF_THREADS != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::{NAMES, STEMS};
    use super::FirstLook;

    #[test]
    fn what_names_comments_passes_the_first_look() {
        for yes in NAMES.iter().chain(&STEMS[..2]).chain(&["Comments", "x COMMENT", "5 Replies", "NTW"]) {
            assert!(FirstLook::at(yes).may_name_comments(), "{yes}");
        }
        for no in ["", "om", "o m m", "omxm", "content-header", "cm", "nav"] {
            assert!(!FirstLook::at(no).may_name_comments(), "{no}");
        }
    }

    #[test]
    fn what_names_threads_passes_the_first_look() {
        for yes in crate::posts::THREAD.into_iter().chain(crate::posts::THREAD_NAMES) {
            assert!(FirstLook::at(yes).may_name_thread(), "{yes}");
            assert!(FirstLook::at(&yes.to_uppercase()).may_name_thread(), "{yes}");
        }
        assert!(!FirstLook::at("content-header comment post").may_name_thread());
    }
}
