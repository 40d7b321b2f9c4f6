//! A UDP socket that moves datagrams by the buffer: one system call for up to 64 KiB of equal
//! datagrams to one address (UDP_SEGMENT), and one for several such buffers in the other direction
//! (UDP_GRO, recvmmsg).
//!
//! The socket options and control messages are `quinn-udp`'s. This module has the part that netfold
//! needs of them.

use std::collections::HashMap;
use std::io::{self, IoSliceMut};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Once;
use std::time::Duration;

use quinn_udp::{EcnCodepoint, RecvMeta, UdpSockRef, UdpSocketState};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::sockopt::{self, Ipv4PathMtuDiscovery, Ipv6PathMtuDiscovery};
use socket2::{Domain, Protocol, Socket, Type};

use crate::arrival::{Arrival, last_arrival, note_arrivals};

/// Most bytes of one transmission: those that a UDP datagram over IPv4 can hold, before the kernel
/// cuts it.
pub(crate) const MAX_BURST_BYTES: usize = 65_507;

/// Most datagrams of one transmission: the kernel's limit on segments.
pub(crate) const MAX_BURST_SEGMENTS: usize = 64;

/// Buffers that one receive call can fill. Packets of several workers are folded before the results
/// go out, which wakes each worker less often.
pub(crate) const RECEIVE_BUFFERS: usize = 8;

/// Bytes of a receive buffer: a coalesced datagram has 16 bits of length.
const RECEIVE_BUFFER_BYTES: usize = 1 << 16;

/// Bytes that the kernel is asked for as a socket's buffers. Without the privilege to have them,
/// the kernel's limit applies.
const SOCKET_BUFFER_BYTES: usize = 8 << 20;

/// Bytes of a datagram that every path takes whole: IPv6 has 1280 bytes of a packet on any.
const SURE_BYTES: usize = 1280 - 40 - 8;

/// Hosts whose paths are remembered.
const MOST_PATHS: usize = 4096;

/// Time for which a full send buffer is waited for. After it the datagrams count as lost, which the
/// protocol mends.
const SEND_WAIT_LIMIT: Duration = Duration::from_millis(10);

/// A UDP socket with offload, and its buffers.
pub(crate) struct Endpoint {
    socket: UdpSocket,
    state: UdpSocketState,
    buffers: Box<[u8]>,
    /// Bytes that the kernel holds for datagrams that have not been read.
    receive_buffer_bytes: usize,
    /// Bytes of the longest datagram that goes whole to each host.
    paths: HashMap<IpAddr, usize>,
    /// Arrivals are timed.
    timed: bool,
    send_calls: u64,
    receive_calls: u64,
}

impl Endpoint {
    /// Opens a socket at `address` (port 0: any free one).
    ///
    /// # Errors
    /// The system's error, for instance that the port is taken.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        Self::over(UdpSocket::bind(address)?)
    }

    /// Opens a socket that gets the datagrams sent to `group`, like every other socket that was
    /// opened so (R-CTRL-9).
    ///
    /// # Errors
    /// The system's error, for instance that another program has the address for itself.
    pub fn join(group: SocketAddr) -> io::Result<Self> {
        let socket = Socket::new(Domain::for_address(group), Type::DGRAM, Some(Protocol::UDP))?;
        socket.set_reuse_address(true)?;
        socket.bind(&group.into())?;
        Self::over(socket.into())
    }

    fn over(socket: UdpSocket) -> io::Result<Self> {
        // A group's address on loopback is a broadcast address.
        socket.set_broadcast(true)?;
        let state = UdpSocketState::new(UdpSockRef::from(&socket))?;
        if let Err(error) = allow_fragments(&socket) {
            tracing::debug!(%error, "long messages do not reach beyond this host");
        }
        enlarge_buffers(&socket);
        let receive_buffer_bytes = sockopt::socket_recv_buffer_size(&socket)?;
        if state.max_gso_segments() == 1 {
            note_missing_offload();
        }
        Ok(Self {
            socket,
            state,
            buffers: vec![0; RECEIVE_BUFFERS * RECEIVE_BUFFER_BYTES].into(),
            receive_buffer_bytes,
            paths: HashMap::new(),
            timed: false,
            send_calls: 0,
            receive_calls: 0,
        })
    }

    /// The same socket again, for another thread.
    ///
    /// # Errors
    /// The system's error.
    pub fn twin(&self) -> io::Result<Self> {
        Self::over(self.socket.try_clone()?)
    }

    /// The address that the socket has got.
    ///
    /// # Errors
    /// The system's error.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Bytes that the kernel holds for datagrams that have not been read.
    pub fn receive_buffer_bytes(&self) -> usize {
        self.receive_buffer_bytes
    }

    /// Returns whether one system call sends several datagrams.
    pub fn has_segmentation(&self) -> bool {
        self.state.max_gso_segments() > 1
    }

    /// System calls that sent and that received datagrams.
    pub fn system_calls(&self) -> (u64, u64) {
        (self.send_calls, self.receive_calls)
    }

    /// Sends `bytes`, cut every `segment` bytes, to `to`. Datagrams that the kernel has no room for
    /// are lost; those that are longer than the path go in fragments.
    ///
    /// # Errors
    /// The system's error about the address or the size; never that it is busy.
    pub fn send(&mut self, to: SocketAddr, bytes: &[u8], segment: usize) -> io::Result<()> {
        if bytes.len() <= segment {
            return self.send_one(to, bytes, None);
        }
        // The kernel cuts nothing into what would be fragments.
        let whole = segment <= SURE_BYTES || segment <= self.whole_bytes(to);
        if self.has_segmentation() && whole {
            match self.send_one(to, bytes, Some(segment)) {
                // The path has no segmentation after all: `quinn-udp` has noticed and turned it
                // off.
                Err(_) if !self.has_segmentation() => note_missing_offload(),
                sent => return sent,
            }
        }
        bytes.chunks(segment).try_for_each(|datagram| self.send_one(to, datagram, None))
    }

    /// Returns the bytes of the longest datagram to `to` that goes whole.
    fn whole_bytes(&mut self, to: SocketAddr) -> usize {
        if self.paths.len() > MOST_PATHS {
            self.paths.clear();
        }
        // Where there is no way, sending tells.
        let find = || path_to(to).unwrap_or(MAX_BURST_BYTES);
        *self.paths.entry(to.ip()).or_insert_with(find)
    }

    fn send_one(
        &mut self,
        to: SocketAddr,
        contents: &[u8],
        segment_size: Option<usize>,
    ) -> io::Result<()> {
        // R-ECN-1
        let ecn = Some(EcnCodepoint::Ect0);
        let transmit =
            quinn_udp::Transmit { destination: to, ecn, contents, segment_size, src_ip: None };
        loop {
            self.send_calls += 1;
            match self.state.try_send(UdpSockRef::from(&self.socket), &transmit) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let mut fds = [PollFd::new(&self.socket, PollFlags::OUT)];
                    if wait(&mut fds, Some(SEND_WAIT_LIMIT))? == 0 {
                        return Ok(());
                    }
                }
                // An earlier datagram met a closed port. The control connection tells what that
                // means.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
                sent => return sent,
            }
        }
    }

    /// Has arrivals timed from now on, which takes a system call for each buffer.
    pub fn time_arrivals(&mut self) {
        match note_arrivals(&self.socket) {
            Ok(()) => self.timed = true,
            Err(error) => {
                tracing::warn!(%error, "the system does not tell when datagrams come: times are those of taking them")
            }
        }
    }

    /// Reads the datagrams that are there, at most some buffers full, and passes each to `handle`,
    /// with its mark and its time of arrival. Never blocks. Returns whether there was anything.
    ///
    /// # Errors
    /// The system's error; never that there is nothing.
    pub fn receive(&mut self, mut handle: impl FnMut(&[u8], Arrival)) -> io::Result<bool> {
        if !self.timed {
            return self.receive_buffers(RECEIVE_BUFFERS, handle);
        }
        // One at a time: the kernel tells when the last one came.
        for read in 0..RECEIVE_BUFFERS {
            if !self.receive_buffers(1, &mut handle)? {
                return Ok(read > 0);
            }
        }
        Ok(true)
    }

    fn receive_buffers(
        &mut self,
        most: usize,
        mut handle: impl FnMut(&[u8], Arrival),
    ) -> io::Result<bool> {
        let mut meta = [RecvMeta::default(); RECEIVE_BUFFERS];
        self.receive_calls += 1;
        let received = {
            let mut chunks = self.buffers.chunks_exact_mut(RECEIVE_BUFFER_BYTES);
            let mut slices: [IoSliceMut<'_>; RECEIVE_BUFFERS] = std::array::from_fn(|_| {
                IoSliceMut::new(chunks.next().expect("one buffer for each slice"))
            });
            self.state.recv(UdpSockRef::from(&self.socket), &mut slices[..most], &mut meta)
        };
        let count = match received {
            Ok(count) => count,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::ConnectionRefused
                ) =>
            {
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let at = self.timed.then(|| last_arrival(&self.socket)).transpose()?;
        for (buffer, meta) in self.buffers.chunks_exact(RECEIVE_BUFFER_BYTES).zip(&meta[..count]) {
            if meta.len > 0 {
                // The kernel coalesces only datagrams with the same mark.
                let marked = meta.ecn == Some(EcnCodepoint::Ce);
                let arrival = Arrival { from: Some(meta.addr), marked, at };
                buffer[..meta.len]
                    .chunks(meta.stride.max(1))
                    .for_each(|datagram| handle(datagram, arrival));
            }
        }
        Ok(count > 0)
    }
}

impl AsFd for Endpoint {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Bytes of UDP payload that fit a datagram to `to` without being fragmented.
///
/// # Errors
/// The system's error, for instance that there is no route.
pub(crate) fn path_to(to: SocketAddr) -> io::Result<usize> {
    /// The headers of IPv4, without options, and of UDP.
    const IPV4_UDP_BYTES: usize = 20 + 8;
    /// The headers of IPv6 and of UDP.
    const IPV6_UDP_BYTES: usize = 40 + 8;

    let any: IpAddr =
        if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let probe = UdpSocket::bind((any, 0))?;
    // A group's address on loopback is a broadcast address.
    probe.set_broadcast(true)?;
    probe.connect(to)?;
    let payload = match to {
        SocketAddr::V4(_) => sockopt::ip_mtu(&probe)? as usize - IPV4_UDP_BYTES,
        SocketAddr::V6(_) => sockopt::ipv6_mtu(&probe)? as usize - IPV6_UDP_BYTES,
    };
    Ok(payload.min(MAX_BURST_BYTES))
}

/// Waits until one of `fds` is ready or `timeout` is over (`None`: for ever). Returns how many are
/// ready.
///
/// # Errors
/// The system's error; an interruption counts as nothing ready.
pub(crate) fn wait(fds: &mut [PollFd<'_>], timeout: Option<Duration>) -> io::Result<usize> {
    let timeout = timeout.map(|timeout| Timespec {
        tv_sec: timeout.as_secs() as i64,
        tv_nsec: i64::from(timeout.subsec_nanos()),
    });
    match rustix::event::poll(fds, timeout.as_ref()) {
        Err(rustix::io::Errno::INTR) => Ok(0),
        ready => Ok(ready?),
    }
}

fn enlarge_buffers(socket: &UdpSocket) {
    if sockopt::set_socket_recv_buffer_size_force(socket, SOCKET_BUFFER_BYTES).is_err() {
        // Without privilege: as much as the system's limit allows. The switch plans with what it
        // got.
        let _ = sockopt::set_socket_recv_buffer_size(socket, SOCKET_BUFFER_BYTES);
    }
    let _ = sockopt::set_socket_send_buffer_size(socket, SOCKET_BUFFER_BYTES);
}

/// Has the kernel fragment datagrams that are longer than the path: those of long messages
/// (R-OP-24). `quinn-udp` forbids it.
fn allow_fragments(socket: &UdpSocket) -> io::Result<()> {
    sockopt::set_ip_mtu_discover(socket, Ipv4PathMtuDiscovery::DONT)?;
    if socket.local_addr()?.is_ipv6() {
        sockopt::set_ipv6_mtu_discover(socket, Ipv6PathMtuDiscovery::DONT)?;
    }
    Ok(())
}

fn note_missing_offload() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing::warn!(
            "this kernel or device has no UDP segmentation offload: one system call for each datagram, which is slower"
        );
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

    fn receive_all(endpoint: &mut Endpoint, datagrams: usize) -> Vec<Vec<u8>> {
        let mut received = Vec::new();
        while received.len() < datagrams {
            let mut fds = [PollFd::new(&endpoint.socket, PollFlags::IN)];
            assert!(
                wait(&mut fds, Some(Duration::from_secs(5))).unwrap() > 0,
                "only {} came",
                received.len()
            );
            endpoint.receive(|datagram, _| received.push(datagram.to_vec())).unwrap();
        }
        received
    }

    #[test]
    fn a_burst_arrives_as_the_datagrams_that_it_was_cut_into() {
        let (mut from, mut to) =
            (Endpoint::bind(LOOPBACK).unwrap(), Endpoint::bind(LOOPBACK).unwrap());
        let bytes: Vec<u8> = (0..60_000u32).map(|i| (i % 251) as u8).collect();
        for (segment, len) in
            [(40, 40 * 64), (40, 100), (1064, 60_000), (8232, 60_000), (60_000, 60_000)]
        {
            let expected: Vec<&[u8]> = bytes[..len].chunks(segment).collect();
            from.send(to.local_addr().unwrap(), &bytes[..len], segment).unwrap();
            assert_eq!(receive_all(&mut to, expected.len()), expected);
        }
    }

    /// R-ECN-1: datagrams sent say that marks are answered, and a mark is seen, also on a burst.
    #[test]
    fn marks_are_asked_for_and_seen() {
        let (mut from, mut to) =
            (Endpoint::bind(LOOPBACK).unwrap(), Endpoint::bind(LOOPBACK).unwrap());
        let (address, bytes) = (to.local_addr().unwrap(), [7; 3 * 1064]);
        let await_datagrams = |to: &Endpoint| {
            let mut fds = [PollFd::new(&to.socket, PollFlags::IN)];
            assert!(wait(&mut fds, Some(Duration::from_secs(5))).unwrap() > 0);
        };
        for segment in [1064, bytes.len()] {
            from.send(address, &bytes, segment).unwrap();
            await_datagrams(&to);
            let (mut buffer, mut meta) = ([0; 4096], [RecvMeta::default()]);
            to.state
                .recv(UdpSockRef::from(&to.socket), &mut [IoSliceMut::new(&mut buffer)], &mut meta)
                .unwrap();
            assert_eq!(
                (meta[0].ecn, meta[0].len),
                (Some(EcnCodepoint::Ect0), bytes.len()),
                "{meta:?} {segment}"
            );
        }
        for (ecn, expected) in
            [(EcnCodepoint::Ce, true), (EcnCodepoint::Ect0, false), (EcnCodepoint::Ect1, false)]
        {
            let segment_size = Some(1064);
            let transmit = quinn_udp::Transmit {
                destination: address,
                ecn: Some(ecn),
                contents: &bytes,
                segment_size,
                src_ip: None,
            };
            from.state.try_send(UdpSockRef::from(&from.socket), &transmit).unwrap();
            await_datagrams(&to);
            let mut marks = Vec::new();
            to.receive(|_, arrival| marks.push(arrival.marked)).unwrap();
            assert_eq!(marks, [expected; 3]);
        }
    }

    /// A socket whose checksums are off has no segmentation (`udp_send_skb` in the kernel), like a
    /// device that lacks it.
    fn without_segmentation(endpoint: &Endpoint) {
        let on: libc::c_int = 1;
        // SAFETY: the option's value is a whole c_int that outlives the call.
        let result = unsafe {
            libc::setsockopt(
                std::os::fd::AsRawFd::as_raw_fd(&endpoint.socket),
                libc::SOL_SOCKET,
                libc::SO_NO_CHECK,
                std::ptr::from_ref(&on).cast(),
                size_of_val(&on) as libc::socklen_t,
            )
        };
        assert_eq!(result, 0);
    }

    #[test]
    fn without_segmentation_every_datagram_arrives_all_the_same() {
        let (mut from, mut to) =
            (Endpoint::bind(LOOPBACK).unwrap(), Endpoint::bind(LOOPBACK).unwrap());
        assert!(from.has_segmentation());
        without_segmentation(&from);
        let bytes: Vec<u8> = (0..10_000u32).map(|i| (i % 251) as u8).collect();
        let expected: Vec<&[u8]> = bytes.chunks(1064).collect();
        for _ in 0..2 {
            from.send(to.local_addr().unwrap(), &bytes, 1064).unwrap();
            assert_eq!(receive_all(&mut to, expected.len()), expected);
            assert!(!from.has_segmentation());
        }
    }

    /// In a network of its own, whose loopback takes packets of 1500 bytes: long datagrams come in
    /// fragments, and short ones still go by the buffer. Needs to be root.
    #[test]
    fn datagrams_that_are_longer_than_the_path_come_in_fragments() {
        let own_network = || -> io::Result<()> {
            // SAFETY: this thread has no descriptor or memory of another network.
            unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNET) }?;
            let set = ["link", "set", "dev", "lo", "mtu", "1500", "up"];
            let status = std::process::Command::new("ip").args(set).status()?;
            status.success().then_some(()).ok_or_else(|| io::Error::other("ip does not set it"))
        };
        // The network is the thread's.
        let checked = std::thread::spawn(move || {
            if let Err(error) = own_network() {
                return eprintln!("skipped: no network of its own: {error}");
            }
            let (mut from, mut to) =
                (Endpoint::bind(LOOPBACK).unwrap(), Endpoint::bind(LOOPBACK).unwrap());
            let address = to.local_addr().unwrap();
            assert_eq!(path_to(address).unwrap(), 1472);
            let bytes: Vec<u8> = (0..60_000u32).map(|i| (i % 251) as u8).collect();
            for (segment, len) in [(8232, 60_000), (1472, 60_000), (8232, 8232), (1064, 60_000)] {
                let expected: Vec<&[u8]> = bytes[..len].chunks(segment).collect();
                let (before, _) = from.system_calls();
                from.send(address, &bytes[..len], segment).unwrap();
                let calls = if segment > 1472 { expected.len() as u64 } else { 1 };
                assert_eq!(from.system_calls().0 - before, calls, "{segment}");
                assert_eq!(receive_all(&mut to, expected.len()), expected, "{segment}");
                assert!(from.has_segmentation(), "{segment}");
            }
        });
        checked.join().unwrap();
    }

    #[test]
    fn loopback_takes_large_datagrams() {
        let endpoint = Endpoint::bind(LOOPBACK).unwrap();
        let payload = path_to(endpoint.local_addr().unwrap()).unwrap();
        assert!(payload > 60_000, "{payload}");
    }
}
