//! The way of a datagram to this host, and the time at which it came.
#![expect(
    unsafe_code,
    reason = "when a datagram came the kernel tells through a call that has no safe form"
)]

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::thread;
use std::time::{Duration, Instant};

use rustix::ioctl::{Getter, ioctl, opcode};
use rustix::time::{ClockId, clock_gettime};

/// Mark of a datagram, and its time of arrival.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// Its sender; `None` if it never was a datagram.
    pub(crate) from: Option<SocketAddr>,
    /// The network has marked it (R-ECN-1).
    pub(crate) marked: bool,
    /// Time since which it has been there to read, if somebody asks for times.
    pub(crate) at: Option<Instant>,
}

/// Has the kernel note from now on when datagrams come to a socket. It begins with that in a thread
/// of its own; this waits until it has, for a moment at most: before, it takes datagrams to come
/// when they are read.
///
/// # Errors
/// The system's error.
pub(crate) fn note_arrivals(socket: impl AsFd) -> io::Result<()> {
    const TRIES: u32 = 200;
    const PAUSE: Duration = Duration::from_millis(1);
    let probe = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    // The question has the kernel begin; there is no answer yet.
    let _ = (last_arrival(socket), last_arrival(&probe));
    for _ in 0..TRIES {
        probe.send_to(&[0], probe.local_addr()?)?;
        let sent = Instant::now();
        probe.recv(&mut [0])?;
        if last_arrival(&probe)? <= sent {
            break;
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}

/// Returns the time at which the datagram that was read last from a socket had come to this host,
/// as the kernel has noted ([`note_arrivals`]).
///
/// # Errors
/// The system's error, for instance that nothing has been read.
pub(crate) fn last_arrival(socket: impl AsFd) -> io::Result<Instant> {
    /// `SIOCGSTAMPNS` of Linux, with 64 bits for seconds on every machine: seconds and nanoseconds
    /// of the system's real-time clock.
    const SIOCGSTAMPNS: rustix::ioctl::Opcode = opcode::read::<[i64; 2]>(0x89, 7);
    // SAFETY: this operation writes two numbers of 64 bits and does nothing else.
    let [seconds, nanoseconds] = unsafe { ioctl(socket, Getter::<SIOCGSTAMPNS, [i64; 2]>::new()) }?;
    let (now, now_ns) = both_clocks();
    let age_ns = now_ns - (seconds * 1_000_000_000 + nanoseconds);
    // If the clock has been set in between, it has come now.
    let age = Duration::from_nanos(u64::try_from(age_ns).unwrap_or(0));
    Ok(now.checked_sub(age).unwrap_or(now))
}

/// Reads the clock of this process and the system's real-time clock, in nanoseconds since its
/// epoch, at one moment. A thread that loses its core between the two reads them again.
fn both_clocks() -> (Instant, i64) {
    const TRIES: usize = 8;
    /// Three reads take a twentieth of it.
    const ONE_MOMENT: Duration = Duration::from_micros(2);
    let read = || {
        let before = Instant::now();
        let real = clock_gettime(ClockId::Realtime);
        (before.elapsed(), before, real.tv_sec * 1_000_000_000 + real.tv_nsec)
    };
    let mut best = read();
    for _ in 1..TRIES {
        if best.0 <= ONE_MOMENT {
            break;
        }
        best = best.min(read());
    }
    (best.1, best.2)
}
