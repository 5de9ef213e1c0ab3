//! Runs of small numbers in as few bits as their largest one needs.

/// How many bits the largest of the values takes.
pub(super) fn width_of(values: &[u32]) -> u8 {
    let all = values.iter().fold(0, |all, value| all | value);
    (u32::BITS - all.leading_zeros()) as u8
}

pub(super) fn packed_length(count: usize, width: u8) -> usize {
    (count * usize::from(width)).div_ceil(8)
}

/// Appends the low `width` bits of each value, least significant first.
pub(super) fn pack(values: &[u32], width: u8, out: &mut Vec<u8>) {
    let (mut pending, mut filled) = (0u64, 0u32);
    for &value in values {
        pending |= u64::from(value) << filled;
        filled += u32::from(width);
        while filled >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(pending as u8);
    }
}

/// Eight bytes are read at once, so that many must follow the packed ones.
pub(super) const SLACK: usize = 8;

/// Fills `out` from packed bytes; `None` if these are too short or the width is not one.
pub(super) fn unpack(bytes: &[u8], width: u8, out: &mut [u32]) -> Option<()> {
    if bytes.len() < packed_length(out.len(), width) + SLACK {
        return None;
    }
    macro_rules! by_width {
        ($($width:literal)*) => {
            match width {
                0 => out.fill(0),
                $($width => unpack_width::<$width>(bytes, out),)*
                _ => return None,
            }
        };
    }
    by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
    Some(())
}

/// Eight values of `WIDTH` bits fill `WIDTH` bytes, so that with the width known at compile time
/// every shift inside such a group is a constant.
fn unpack_width<const WIDTH: usize>(bytes: &[u8], out: &mut [u32]) {
    let mask = (1u64 << WIDTH) - 1;
    let (groups, rest) = out.as_chunks_mut::<8>();
    let whole = groups.len() * WIDTH;
    for (group, values) in groups.iter_mut().enumerate() {
        let bytes = &bytes[group * WIDTH..group * WIDTH + WIDTH + SLACK];
        for (index, value) in values.iter_mut().enumerate() {
            *value = (eight_bytes(bytes, index * WIDTH / 8) >> (index * WIDTH % 8) & mask) as u32;
        }
    }
    let bytes = &bytes[whole..];
    for (index, value) in rest.iter_mut().enumerate() {
        *value = (eight_bytes(bytes, index * WIDTH / 8) >> (index * WIDTH % 8) & mask) as u32;
    }
}

#[inline(always)]
fn eight_bytes(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_back(
            values in prop::collection::vec(any::<u32>(), 0..300),
            shift in 0u32..32,
        ) {
            let values: Vec<u32> = values.iter().map(|value| value >> shift).collect();
            let width = width_of(&values);
            let mut bytes = Vec::new();
            pack(&values, width, &mut bytes);
            prop_assert_eq!(bytes.len(), packed_length(values.len(), width));
            bytes.extend_from_slice(&[0xff; SLACK]);
            let mut back = vec![0; values.len()];
            prop_assert!(unpack(&bytes, width, &mut back).is_some());
            prop_assert_eq!(back, values);
        }
    }

    #[test]
    fn too_few_bytes_or_too_wide_is_refused() {
        assert_eq!(unpack(&[0; 8], 1, &mut [0; 8]), None);
        assert_eq!(unpack(&[0; 800], 33, &mut [0; 8]), None);
    }
}
