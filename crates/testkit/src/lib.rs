//! For tests only: temporary homes, clocks that obey, ids that repeat, the binary, faults on demand.

mod binary;
mod clock;
mod disk_watch;
mod faults;
pub mod generate;
mod home;
mod mount;
mod preload;
mod seeds;
mod split_mix;
mod tape;

pub use binary::{
    Answer, Mnemic, Writer, answer, answer_to, copy_dir, files_with, is_long, mixed_memory, size,
};
pub use clock::FakeClock;
pub use disk_watch::DiskWatch;
pub use faults::{Calls, Fault, FaultKind, Faults};
pub use home::{Home, SeededRandom, at, namespaces};
pub use mount::SmallDisk;
pub use seeds::seeds;
pub use split_mix::SplitMix;
pub use tape::{Disk, Event, Tape};
