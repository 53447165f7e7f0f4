//! Checking a file before anything is read from it.
//!
//! `redb` has a checksum for every page of the file, but does not verify them in a file that was closed properly, and a
//! damaged page may then panic. It verifies all of them when it repairs a file that was not closed. So the file is
//! opened once as if it needed repair, with all writes kept in memory: the file itself is not changed.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use redb::{Builder, DatabaseError, StorageBackend};

use super::error::{Error, damaged, from_redb};
use super::open::PAUSE;

/// The offset of the flags, after the nine bytes of the magic number.
const FLAGS: usize = 9;
/// The file was not closed.
const NOT_CLOSED: u8 = 2;
/// The stored allocator state is valid.
const SPACE_IS_KNOWN: u8 = 4;

/// Checks a file that was closed properly. Others are checked when they are opened.
pub(super) fn verify(path: &Path, timeout: Duration) -> Result<(), Error> {
    let io = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => Error::Missing { path: path.to_owned() },
        _ => Error::Io { path: path.to_owned(), source },
    };
    let mut file = File::open(path).map_err(io)?;
    lock(&file, path, timeout)?;
    let mut start = [0; FLAGS + 1];
    if file.read_exact(&mut start).is_err() {
        return Err(Error::NotAMemory { path: path.to_owned(), why: "it is too short".to_owned() });
    }
    let flags = start[FLAGS];
    if flags & NOT_CLOSED != 0 {
        return Ok(());
    }
    let copy = Copy::of(file).map_err(io)?;
    let flags = flags & !SPACE_IS_KNOWN | NOT_CLOSED;
    copy.write(FLAGS as u64, &[flags]).map_err(io)?;
    let mut builder = Builder::new();
    builder.set_cache_size(super::open::CACHE);
    builder.set_repair_callback(|session| {
        // Progress between the first and the second scan is only reported if the first one failed.
        if session.progress() > 0.0 && session.progress() < 0.5 {
            session.abort();
        }
    });
    match builder.create_with_backend(copy) {
        Ok(_) => Ok(()),
        Err(DatabaseError::RepairAborted) => Err(damaged(path, "a checksum is wrong".to_owned())),
        Err(error) => Err(from_redb(path, error.into())),
    }
}

/// Locks out writers.
fn lock(file: &File, path: &Path, timeout: Duration) -> Result<(), Error> {
    let start = Instant::now();
    loop {
        match file.try_lock_shared() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < timeout => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::InUse { path: path.to_owned(), waited: timeout });
            }
            // Not every file system supports locks.
            Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
}

/// Bytes per modified piece.
const PIECE: usize = 4096;

/// A copy-on-write view of a file.
#[derive(Debug)]
struct Copy {
    file: Mutex<File>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    length: u64,
    /// The length of the file itself.
    whole: u64,
    written: BTreeMap<u64, Vec<u8>>,
}

impl Copy {
    fn of(file: File) -> io::Result<Copy> {
        let length = file.metadata()?.len();
        let state = State { length, whole: length, written: BTreeMap::new() };
        Ok(Copy { file: Mutex::new(file), state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of the file itself, zeros after its end.
    fn read_file(&self, whole: u64, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let there = whole.saturating_sub(offset).min(out.len() as u64) as usize;
        let (from_file, rest) = out.split_at_mut(there);
        rest.fill(0);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(from_file)
    }
}

impl StorageBackend for Copy {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > state.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(state.whole, offset, out)?;
        let pieces = offset / PIECE as u64..=(offset + out.len() as u64) / PIECE as u64;
        for (piece, bytes) in state.written.range(pieces) {
            let start = piece * PIECE as u64;
            let from = offset.max(start);
            let to = (offset + out.len() as u64).min(start + PIECE as u64);
            if from < to {
                let (from_out, to_out) = ((from - offset) as usize, (to - offset) as usize);
                out[from_out..to_out].copy_from_slice(&bytes[(from - start) as usize..(to - start) as usize]);
            }
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut state = self.state();
        state.length = length;
        state.whole = state.whole.min(length);
        state.written.retain(|piece, _| piece * (PIECE as u64) < length);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        let whole = state.whole;
        let mut done = 0;
        while done < data.len() {
            let at = offset + done as u64;
            let piece = at / PIECE as u64;
            let within = (at % PIECE as u64) as usize;
            let count = (PIECE - within).min(data.len() - done);
            if let std::collections::btree_map::Entry::Vacant(vacant) = state.written.entry(piece) {
                let mut bytes = vec![0; PIECE];
                self.read_file(whole, piece * PIECE as u64, &mut bytes)?;
                vacant.insert(bytes);
            }
            if let Some(bytes) = state.written.get_mut(&piece) {
                bytes[within..within + count].copy_from_slice(&data[done..done + count]);
            }
            done += count;
        }
        Ok(())
    }
}
