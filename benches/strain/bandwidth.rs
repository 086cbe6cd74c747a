//! How fast this machine moves memory.

use std::hint::black_box;
use std::time::Instant;

/// Numbers in the array that is passed over: 256 MB, more than any cache.
const NUMBERS: usize = 1 << 25;

/// Passes, of which the fastest counts.
const PASSES: usize = 5;

/// Bytes that one thread reads and writes in a second, passing over an array and changing every
/// number.
pub fn streaming_bandwidth() -> f64 {
    let mut numbers = vec![1.0f64; NUMBERS];
    let bytes = (2 * size_of::<f64>() * NUMBERS) as f64;
    let fastest = (0..PASSES)
        .map(|_| {
            let start = Instant::now();
            black_box(&mut numbers).iter_mut().for_each(|x| *x = 0.5 * *x + 1.0);
            black_box(&numbers);
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    bytes / fastest
}
