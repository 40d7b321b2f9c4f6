//! Network namespaces, and virtual cables in them.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pnet_datalink::{Channel, Config, DataLinkReceiver, DataLinkSender};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::tools::run;

/// A network namespace with a loopback interface that is up, and without IPv6, whose neighbours
/// would say hello. Dropping it removes it, with all in it.
pub struct Namespace {
    name: String,
}

impl Namespace {
    /// A new one, with a name of its own.
    ///
    /// # Errors
    /// The output of `ip`.
    pub fn new(what: &str) -> Result<Self, String> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("netfold-{what}-{}-{number}", std::process::id());
        run(Command::new("ip").args(["netns", "add", &name]))?;
        let namespace = Self { name };
        for which in ["all", "default"] {
            let file = format!("/proc/sys/net/ipv6/conf/{which}/disable_ipv6");
            namespace
                .enter(|| fs::write(&file, "1"))?
                .map_err(|error| format!("{file}: {error}"))?;
        }
        namespace.ip(&["link", "set", "lo", "up"])?;
        Ok(namespace)
    }

    /// Its name, for `ip`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A command that runs in it.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name, program]);
        command
    }

    /// Runs `ip` in it.
    ///
    /// # Errors
    /// The output of `ip`.
    pub fn ip(&self, arguments: &[&str]) -> Result<(), String> {
        run(Command::new("ip").args(["-n", &self.name]).args(arguments))
    }

    /// Has an interface leave everything to the ends: frames are sent as they are, with their
    /// checksums.
    ///
    /// # Errors
    /// The output of `ethtool`.
    pub fn no_offloads(&self, interface: &str) -> Result<(), String> {
        let off = ["rx", "off", "tx", "off", "tso", "off", "gso", "off", "gro", "off"];
        run(self.command("ethtool").args(["-K", interface]).args(off))
    }

    /// Does something on a thread in it. Sockets and threads that come of it stay there.
    ///
    /// # Errors
    /// The system's, if it cannot be entered.
    pub fn enter<T: Send>(&self, act: impl FnOnce() -> T + Send) -> Result<T, String> {
        let inside = || -> io::Result<T> {
            let file = File::open(format!("/run/netns/{}", self.name))?;
            move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network))?;
            Ok(act())
        };
        let done = thread::scope(|scope| scope.spawn(inside).join());
        match done {
            Ok(done) => done.map_err(|error| format!("namespace {}: {error}", self.name)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = run(Command::new("ip").args(["netns", "delete", &self.name]));
    }
}

/// The far end of a cable: frames go in, and come out.
pub struct Cable {
    sender: Box<dyn DataLinkSender>,
    receiver: Box<dyn DataLinkReceiver>,
}

impl Cable {
    /// A cable whose near end is an interface of the namespace, with the name that is given back.
    ///
    /// # Errors
    /// The output of `ip`, or the system's error.
    pub fn new(namespace: &Namespace, port: u16) -> Result<(Self, String), String> {
        let (near, far) = (format!("near{port}"), format!("far{port}"));
        namespace.ip(&["link", "add", &near, "type", "veth", "peer", "name", &far])?;
        for interface in [&near, &far] {
            namespace.no_offloads(interface)?;
            namespace.ip(&["link", "set", interface, "arp", "off", "up"])?;
        }
        let cable = namespace.enter(|| Self::open(&far))??;
        Ok((cable, near))
    }

    fn open(name: &str) -> Result<Self, String> {
        let interfaces = pnet_datalink::interfaces();
        let interface = interfaces.iter().find(|interface| interface.name == name);
        let interface = interface.ok_or_else(|| format!("there is no interface {name}"))?;
        let config = Config { read_timeout: Some(Duration::from_millis(100)), ..Config::default() };
        match pnet_datalink::channel(interface, config) {
            Ok(Channel::Ethernet(sender, receiver)) => Ok(Self { sender, receiver }),
            Ok(_) => Err(format!("{name} is no Ethernet")),
            Err(error) => Err(format!("{name}: {error}")),
        }
    }

    /// Sends a frame.
    ///
    /// # Panics
    /// If the system refuses it.
    pub fn send(&mut self, frame: &[u8]) {
        let done = self.sender.send_to(frame, None);
        done.expect("a cable has room for a frame").expect("a cable takes frames");
    }

    /// The next frame from the other end.
    ///
    /// # Errors
    /// The system's error, or that no frame has come for so long.
    pub fn receive(&mut self, patience: Duration) -> io::Result<Vec<u8>> {
        let deadline = Instant::now() + patience;
        loop {
            match self.receiver.next() {
                Ok(frame) => return Ok(frame.to_vec()),
                Err(error)
                    if error.kind() == io::ErrorKind::TimedOut && Instant::now() < deadline => {}
                Err(error) => return Err(error),
            }
        }
    }
}
