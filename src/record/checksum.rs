//! A checksum that tells whether bytes are still those that were written.

/// FNV-1a, 64 bit: finds a changed byte, and needs no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checksum(u64);

impl Checksum {
    /// Of no bytes.
    pub const START: Self = Self(0xcbf2_9ce4_8422_2325);
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    /// Takes in more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// As a number.
    pub fn value(self) -> u64 {
        self.0
    }
}
