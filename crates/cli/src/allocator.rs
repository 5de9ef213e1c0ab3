//! Where memory comes from, and in what pieces.

use mimalloc::MiMalloc;

/// A question makes thousands of small strings and lists; this allocator saves a twelfth of its time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Whether memory may come in pieces of 2 MB. A process that lives for milliseconds uses a part of
/// each, and zeroing the rest would be a seventh of its life; one that serves for hours gains by them.
/// Where they cannot be chosen, they stay as they are.
pub(crate) fn large_pieces(wanted: bool) {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(!wanted);
    #[cfg(not(target_os = "linux"))]
    let _ = wanted;
}
