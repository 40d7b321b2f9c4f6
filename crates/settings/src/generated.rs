// Generated from spec/settings.toml by `cargo xtask codegen`; do not edit.

use std::fmt;
use std::path::PathBuf;

use netfold_net::{
    Arithmetic, ByteOrder, CoreList, IntegrityKind, OperationPolicy, Overflow, Protocol, Transport,
};
use serde::Deserialize;

use crate::resolve::{given, value};
use crate::setting::{Kind, Setting, Shape};
use crate::value::{Shown, Value};
use crate::{Seconds, Secret, Size};

/// A program that reads settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `netfold bench`, for its workers and a switch of its own.
    Bench,
    /// Every command.
    Command,
    /// `netfold.connect` in Python.
    Connect,
    /// `netfold ctl`.
    Ctl,
    /// `netfold glm train`, for its workers and a switch of its own.
    Glm,
    /// `netfold mpirun` and `libnetfold_mpi.so`, for the ranks of an MPI program and the switch that rank 0 starts.
    Mpi,
    /// `netfold server`.
    Server,
    /// `netfold switch`.
    Switch,
    /// The tables of `netfold.sparse` in Python.
    Tables,
    /// The backend of `torch.distributed`, for its ranks and the switch that rank 0 starts.
    Torch,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bench => "bench",
            Self::Command => "command",
            Self::Connect => "connect",
            Self::Ctl => "ctl",
            Self::Glm => "glm",
            Self::Mpi => "mpi",
            Self::Server => "server",
            Self::Switch => "switch",
            Self::Tables => "tables",
            Self::Torch => "torch",
        })
    }
}

/// Every setting, in the order of `spec/settings.toml`.
pub static SETTINGS: [Setting; 31] = [
    Setting {
        key: "config",
        variable: "NETFOLD_CONFIG",
        option: "config",
        field: "config",
        kind: Kind::Path,
        allowed: "",
        placeholder: "FILE",
        read_by: &[
            Program::Command,
            Program::Connect,
            Program::Tables,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[Program::Command],
        default: None,
        default_of: &[],
        unset: "./netfold.toml, else /etc/netfold.toml, if there",
        in_file: false,
        doc: "TOML file with settings",
    },
    Setting {
        key: "log",
        variable: "NETFOLD_LOG",
        option: "log",
        field: "log",
        kind: Kind::Text,
        allowed: "",
        placeholder: "LEVEL",
        read_by: &[Program::Command],
        options: &[Program::Command],
        default: Some("warn"),
        default_of: &[(Program::Server, "info"), (Program::Switch, "info")],
        unset: "",
        in_file: true,
        doc: "Level of the log: error, warn, info, debug or trace, or directives such as warn,netfold_net=debug",
    },
    Setting {
        key: "listen",
        variable: "NETFOLD_LISTEN",
        option: "listen",
        field: "listen",
        kind: Kind::Address,
        allowed: "HOST:PORT, such as 127.0.0.1:5555",
        placeholder: "ADDR",
        read_by: &[Program::Switch, Program::Server, Program::Torch, Program::Mpi],
        options: &[Program::Switch, Program::Server, Program::Mpi],
        default: Some("127.0.0.1:0"),
        default_of: &[(Program::Server, "127.0.0.1:5566"), (Program::Switch, "127.0.0.1:5555")],
        unset: "",
        in_file: true,
        doc: "Address to listen at: of a switch, TCP for the jobs, UDP at the same port and one more for each further core; of a server of sparse tables, TCP; port 0 takes free ones",
    },
    Setting {
        key: "cores",
        variable: "NETFOLD_CORES",
        option: "cores",
        field: "cores",
        kind: Kind::Whole { least: 1, most: 256, shape: Shape::Any },
        allowed: "a whole number from 1 to 256",
        placeholder: "N",
        read_by: &[Program::Switch, Program::Bench, Program::Glm, Program::Torch, Program::Mpi],
        options: &[Program::Switch, Program::Bench, Program::Glm, Program::Mpi],
        default: Some("1"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "Threads of the switch that fold, each with a share of the memory and a UDP port",
    },
    Setting {
        key: "memory",
        variable: "NETFOLD_MEMORY",
        option: "memory",
        field: "memory_bytes",
        kind: Kind::Bytes,
        allowed: "a size, such as 65536, 64MiB or 1.5GB",
        placeholder: "SIZE",
        read_by: &[
            Program::Switch,
            Program::Bench,
            Program::Server,
            Program::Glm,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[Program::Switch, Program::Bench, Program::Server, Program::Mpi],
        default: Some("64MiB"),
        default_of: &[(Program::Server, "4GiB")],
        unset: "",
        in_file: true,
        doc: "Memory of the switch for the slots of all jobs, or of a server for the rows of each table; KiB, MiB and GiB are powers of 1024, kB, MB and GB of 1000",
    },
    Setting {
        key: "metrics",
        variable: "NETFOLD_METRICS",
        option: "metrics",
        field: "metrics",
        kind: Kind::Address,
        allowed: "HOST:PORT, such as 127.0.0.1:5555",
        placeholder: "ADDR",
        read_by: &[Program::Switch],
        options: &[Program::Switch],
        default: None,
        default_of: &[],
        unset: "nowhere",
        in_file: true,
        doc: "Address at which to serve Prometheus metrics over HTTP, at /metrics",
    },
    Setting {
        key: "data",
        variable: "NETFOLD_DATA",
        option: "data",
        field: "data",
        kind: Kind::Path,
        allowed: "",
        placeholder: "DIR",
        read_by: &[Program::Server],
        options: &[Program::Server],
        default: None,
        default_of: &[],
        unset: "nowhere: rows are in memory only",
        in_file: true,
        doc: "Folder in which a server stores what it has acknowledged (R-SERVE-8)",
    },
    Setting {
        key: "parent",
        variable: "NETFOLD_PARENT",
        option: "parent",
        field: "parent",
        kind: Kind::Address,
        allowed: "HOST:PORT, such as 127.0.0.1:5555",
        placeholder: "ADDR",
        read_by: &[Program::Switch],
        options: &[Program::Switch],
        default: None,
        default_of: &[],
        unset: "none",
        in_file: true,
        doc: "Switch above this one: this one folds for the workers that join here, and sends one stream up",
    },
    Setting {
        key: "ops",
        variable: "NETFOLD_OPS",
        option: "ops",
        field: "ops",
        kind: Kind::Choice(&["none", "signed", "any"]),
        allowed: "one of none, signed, any",
        placeholder: "NAME",
        read_by: &[Program::Switch],
        options: &[Program::Switch],
        default: Some("any"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "Operations of users that the switch takes: none, those with a signature, or any (R-OP-22)",
    },
    Setting {
        key: "ops_key_file",
        variable: "NETFOLD_OPS_KEY_FILE",
        option: "ops-key-file",
        field: "ops_key_file",
        kind: Kind::Path,
        allowed: "",
        placeholder: "FILE",
        read_by: &[Program::Switch],
        options: &[Program::Switch],
        default: None,
        default_of: &[],
        unset: "none",
        in_file: true,
        doc: "File that holds the key of the signatures of operations; white space around it does not count",
    },
    Setting {
        key: "token",
        variable: "NETFOLD_TOKEN",
        option: "token",
        field: "token",
        kind: Kind::Secret,
        allowed: "",
        placeholder: "TEXT",
        read_by: &[
            Program::Switch,
            Program::Ctl,
            Program::Server,
            Program::Bench,
            Program::Glm,
            Program::Connect,
            Program::Tables,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[
            Program::Switch,
            Program::Ctl,
            Program::Server,
            Program::Bench,
            Program::Glm,
            Program::Mpi,
        ],
        default: None,
        default_of: &[],
        unset: "none",
        in_file: true,
        doc: "Secret of the jobs; others on the machine can read an option in the list of processes: prefer token_file",
    },
    Setting {
        key: "token_file",
        variable: "NETFOLD_TOKEN_FILE",
        option: "token-file",
        field: "token_file",
        kind: Kind::Path,
        allowed: "",
        placeholder: "FILE",
        read_by: &[
            Program::Switch,
            Program::Ctl,
            Program::Server,
            Program::Bench,
            Program::Glm,
            Program::Connect,
            Program::Tables,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[
            Program::Switch,
            Program::Ctl,
            Program::Server,
            Program::Bench,
            Program::Glm,
            Program::Mpi,
        ],
        default: None,
        default_of: &[],
        unset: "none",
        in_file: true,
        doc: "File that holds the secret of the jobs; white space around it does not count",
    },
    Setting {
        key: "switch",
        variable: "NETFOLD_SWITCH",
        option: "switch",
        field: "switch",
        kind: Kind::Addresses,
        allowed: "HOST:PORT, or several with commas between",
        placeholder: "ADDR",
        read_by: &[
            Program::Ctl,
            Program::Bench,
            Program::Glm,
            Program::Connect,
            Program::Tables,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[Program::Ctl, Program::Bench, Program::Glm, Program::Mpi],
        default: None,
        default_of: &[(Program::Ctl, "127.0.0.1:5555")],
        unset: "bench, glm --workers N and rank 0 of torch start one; connect needs it",
        in_file: true,
        doc: "Address of the switch, and after commas those of its standbys, the same for every worker: a job goes on at the next one when its own is lost, and ctl asks the first that answers",
    },
    Setting {
        key: "servers",
        variable: "NETFOLD_SERVERS",
        option: "servers",
        field: "servers",
        kind: Kind::Addresses,
        allowed: "HOST:PORT, or several with commas between",
        placeholder: "ADDR",
        read_by: &[Program::Ctl, Program::Tables],
        options: &[Program::Ctl],
        default: None,
        default_of: &[],
        unset: "ctl asks none, and rank 0 of a table runs one",
        in_file: true,
        doc: "Addresses of the servers of sparse tables, with commas between, in the same order for every worker; ctl asks them beside the switch",
    },
    Setting {
        key: "arithmetic",
        variable: "NETFOLD_ARITHMETIC",
        option: "arithmetic",
        field: "arithmetic",
        kind: Kind::Choice(&["block", "native", "fpisa", "fpisa-a", "logtable"]),
        allowed: "one of block, native, fpisa, fpisa-a, logtable",
        placeholder: "NAME",
        read_by: &[Program::Bench, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Mpi],
        default: Some("block"),
        default_of: &[(Program::Mpi, "native")],
        unset: "",
        in_file: true,
        doc: "Arithmetic of sums (R-NUM-2): block fixed point (SwitchML), IEEE 754, floating point on integers (FPISA), or tables of logarithms (Libra)",
    },
    Setting {
        key: "overflow",
        variable: "NETFOLD_OVERFLOW",
        option: "overflow",
        field: "overflow",
        kind: Kind::Choice(&["error", "native"]),
        allowed: "one of error, native",
        placeholder: "NAME",
        read_by: &[Program::Bench, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Mpi],
        default: Some("error"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "Policy for a block whose sum overflows a register of fpisa or fpisa-a (R-SLOT-11): the job fails, or the block is folded again by native",
    },
    Setting {
        key: "byte_order",
        variable: "NETFOLD_BYTE_ORDER",
        option: "byte-order",
        field: "byte_order",
        kind: Kind::Choice(&["little", "network"]),
        allowed: "one of little, network",
        placeholder: "NAME",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: Some("little"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "Order of a lane's bytes in packets (R-NUM-19); results are the same",
    },
    Setting {
        key: "protocol",
        variable: "NETFOLD_PROTOCOL",
        option: "protocol",
        field: "protocol",
        kind: Kind::Choice(&["shadow", "acked"]),
        allowed: "one of shadow, acked",
        placeholder: "NAME",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: Some("shadow"),
        default_of: &[(Program::Glm, "acked")],
        unset: "",
        in_file: true,
        doc: "Rule of the reuse of slots (R-ACK): with shadow a slot has two copies of its lanes, with acked one, whose result is acknowledged: half the memory, twice the packets",
    },
    Setting {
        key: "integrity",
        variable: "NETFOLD_INTEGRITY",
        option: "integrity",
        field: "integrity",
        kind: Kind::Choice(&["transport", "checksum", "token"]),
        allowed: "one of transport, checksum, token",
        placeholder: "NAME",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: None,
        default_of: &[],
        unset: "token if there is one, else transport",
        in_file: true,
        doc: "Proof that a packet is whole and belongs to the job (R-PKT-3)",
    },
    Setting {
        key: "transport",
        variable: "NETFOLD_TRANSPORT",
        option: "transport",
        field: "transport",
        kind: Kind::Choice(&["udp", "shm"]),
        allowed: "one of udp, shm",
        placeholder: "NAME",
        read_by: &[
            Program::Switch,
            Program::Bench,
            Program::Glm,
            Program::Connect,
            Program::Tables,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[Program::Switch, Program::Bench, Program::Glm, Program::Mpi],
        default: None,
        default_of: &[],
        unset: "shm where all workers run on the switch's host, else udp",
        in_file: true,
        doc: "Transport between workers and slots (R-CTRL-10); a switch with udp shares no memory with workers on its host",
    },
    Setting {
        key: "pin",
        variable: "NETFOLD_PIN",
        option: "pin",
        field: "pin",
        kind: Kind::Cores,
        allowed: "numbers and ranges, such as 0,2-5",
        placeholder: "LIST",
        read_by: &[
            Program::Switch,
            Program::Bench,
            Program::Glm,
            Program::Connect,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[Program::Switch, Program::Bench, Program::Glm, Program::Mpi],
        default: None,
        default_of: &[],
        unset: "wherever the system puts them",
        in_file: true,
        doc: "Cores on which netfold's own threads stay: the switch's thread i, with its slots, on the i-th of them; workers of one host take turns with them",
    },
    Setting {
        key: "timeout",
        variable: "NETFOLD_TIMEOUT",
        option: "timeout",
        field: "timeout_s",
        kind: Kind::Duration { least: 0.1, most: 86400.0 },
        allowed: "0.1 to 86400 seconds",
        placeholder: "SECONDS",
        read_by: &[
            Program::Bench,
            Program::Glm,
            Program::Connect,
            Program::Tables,
            Program::Torch,
            Program::Mpi,
        ],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: Some("10"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "Seconds of silence after which a worker or a switch counts as lost",
    },
    Setting {
        key: "packet_elements",
        variable: "NETFOLD_PACKET_ELEMENTS",
        option: "packet-elements",
        field: "packet_elements",
        kind: Kind::Whole { least: 8, most: 8192, shape: Shape::MultipleOf(8) },
        allowed: "a multiple of 8 from 8 to 8192",
        placeholder: "E",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: None,
        default_of: &[],
        unset: "what the path's MTU allows",
        in_file: true,
        doc: "Lanes of a packet",
    },
    Setting {
        key: "slots",
        variable: "NETFOLD_SLOTS",
        option: "slots",
        field: "slots",
        kind: Kind::Whole { least: 1, most: 32768, shape: Shape::PowerOfTwo },
        allowed: "a power of two from 1 to 32768",
        placeholder: "S",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: None,
        default_of: &[],
        unset: "the switch decides",
        in_file: true,
        doc: "Slots of each flow for bulk; a quarter as many, 8 to 64, come on top for urgent calls (R-CTRL-2)",
    },
    Setting {
        key: "weight",
        variable: "NETFOLD_WEIGHT",
        option: "weight",
        field: "weight",
        kind: Kind::Whole { least: 1, most: 100, shape: Shape::Any },
        allowed: "a whole number from 1 to 100",
        placeholder: "W",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: Some("1"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "The job's part of a queue that it shares with others, where the network marks (R-ECN-4)",
    },
    Setting {
        key: "resumable",
        variable: "NETFOLD_RESUMABLE",
        option: "resumable",
        field: "resumable",
        kind: Kind::Bool,
        allowed: "0 or 1",
        placeholder: "",
        read_by: &[Program::Bench, Program::Glm, Program::Connect, Program::Torch, Program::Mpi],
        options: &[Program::Bench, Program::Glm, Program::Mpi],
        default: Some("0"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "The job waits for its only switch to start again when that is lost (R-RES-1); with standbys it does so anyway",
    },
    Setting {
        key: "strict",
        variable: "NETFOLD_STRICT",
        option: "strict",
        field: "strict",
        kind: Kind::Bool,
        allowed: "0 or 1",
        placeholder: "",
        read_by: &[Program::Torch],
        options: &[],
        default: Some("0"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "No call goes to Gloo: what the switch does not fold is gathered by it and folded at the workers; all other programs have nothing to hand calls to",
    },
    Setting {
        key: "mpi_report",
        variable: "NETFOLD_MPI_REPORT",
        option: "mpi-report",
        field: "mpi_report",
        kind: Kind::Bool,
        allowed: "0 or 1",
        placeholder: "",
        read_by: &[Program::Mpi],
        options: &[Program::Mpi],
        default: Some("0"),
        default_of: &[],
        unset: "",
        in_file: true,
        doc: "At the end of an MPI program a report tells where its collectives went, and their times beside the host's own, for which one call in 32 of each kind and size goes to the host (R-MPI-12)",
    },
    Setting {
        key: "mpi_table",
        variable: "NETFOLD_MPI_TABLE",
        option: "mpi-table",
        field: "mpi_table",
        kind: Kind::Text,
        allowed: "",
        placeholder: "FILE",
        read_by: &[Program::Mpi],
        options: &[Program::Mpi],
        default: None,
        default_of: &[],
        unset: "what pays on most machines",
        in_file: true,
        doc: "Table of the collectives that netfold takes from an MPI program; `all` or `none` in its place (R-MPI-4)",
    },
    Setting {
        key: "mpi_operations",
        variable: "NETFOLD_MPI_OPERATIONS",
        option: "mpi-operations",
        field: "mpi_operations",
        kind: Kind::Text,
        allowed: "",
        placeholder: "FILE",
        read_by: &[Program::Mpi],
        options: &[Program::Mpi],
        default: None,
        default_of: &[],
        unset: "none",
        in_file: true,
        doc: "List of operations of an MPI program whose bodies netfold has: lines with the name of a function and a module of WebAssembly (R-MPI-18)",
    },
    Setting {
        key: "mpi_trace",
        variable: "NETFOLD_MPI_TRACE",
        option: "mpi-trace",
        field: "mpi_trace",
        kind: Kind::Text,
        allowed: "",
        placeholder: "FILE",
        read_by: &[Program::Mpi],
        options: &[Program::Mpi],
        default: None,
        default_of: &[],
        unset: "none",
        in_file: true,
        doc: "File for a trace of the collectives of an MPI program, which ranks share or, with `%r` in its name, have one each (R-MTR)",
    },
];

/// The value of every setting: what was given, else its default.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Level of the log: error, warn, info, debug or trace, or directives such as warn,netfold_net=debug.
    #[serde(deserialize_with = "value::<_, _, 1>")]
    pub log: String,
    /// Address to listen at: of a switch, TCP for the jobs, UDP at the same port and one more for each further core; of a server of sparse tables, TCP; port 0 takes free ones.
    #[serde(deserialize_with = "value::<_, _, 2>")]
    pub listen: String,
    /// Threads of the switch that fold, each with a share of the memory and a UDP port.
    #[serde(deserialize_with = "value::<_, _, 3>")]
    pub cores: u16,
    /// Memory of the switch for the slots of all jobs, or of a server for the rows of each table; KiB, MiB and GiB are powers of 1024, kB, MB and GB of 1000.
    #[serde(deserialize_with = "value::<_, _, 4>")]
    pub memory: Size,
    /// Address at which to serve Prometheus metrics over HTTP, at /metrics.
    #[serde(default, deserialize_with = "given::<_, _, 5>")]
    pub metrics: Option<String>,
    /// Folder in which a server stores what it has acknowledged (R-SERVE-8).
    #[serde(default, deserialize_with = "given::<_, _, 6>")]
    pub data: Option<PathBuf>,
    /// Switch above this one: this one folds for the workers that join here, and sends one stream up.
    #[serde(default, deserialize_with = "given::<_, _, 7>")]
    pub parent: Option<String>,
    /// Operations of users that the switch takes: none, those with a signature, or any (R-OP-22).
    #[serde(deserialize_with = "value::<_, _, 8>")]
    pub ops: OperationPolicy,
    /// File that holds the key of the signatures of operations; white space around it does not count.
    #[serde(default, deserialize_with = "given::<_, _, 9>")]
    pub ops_key_file: Option<PathBuf>,
    /// Secret of the jobs; others on the machine can read an option in the list of processes: prefer token_file.
    #[serde(default, deserialize_with = "given::<_, _, 10>")]
    pub token: Option<Secret>,
    /// File that holds the secret of the jobs; white space around it does not count.
    #[serde(default, deserialize_with = "given::<_, _, 11>")]
    pub token_file: Option<PathBuf>,
    /// Address of the switch, and after commas those of its standbys, the same for every worker: a job goes on at the next one when its own is lost, and ctl asks the first that answers.
    #[serde(default, deserialize_with = "given::<_, _, 12>")]
    pub switch: Option<String>,
    /// Addresses of the servers of sparse tables, with commas between, in the same order for every worker; ctl asks them beside the switch.
    #[serde(default, deserialize_with = "given::<_, _, 13>")]
    pub servers: Option<String>,
    /// Arithmetic of sums (R-NUM-2): block fixed point (SwitchML), IEEE 754, floating point on integers (FPISA), or tables of logarithms (Libra).
    #[serde(deserialize_with = "value::<_, _, 14>")]
    pub arithmetic: Arithmetic,
    /// Policy for a block whose sum overflows a register of fpisa or fpisa-a (R-SLOT-11): the job fails, or the block is folded again by native.
    #[serde(deserialize_with = "value::<_, _, 15>")]
    pub overflow: Overflow,
    /// Order of a lane's bytes in packets (R-NUM-19); results are the same.
    #[serde(deserialize_with = "value::<_, _, 16>")]
    pub byte_order: ByteOrder,
    /// Rule of the reuse of slots (R-ACK): with shadow a slot has two copies of its lanes, with acked one, whose result is acknowledged: half the memory, twice the packets.
    #[serde(deserialize_with = "value::<_, _, 17>")]
    pub protocol: Protocol,
    /// Proof that a packet is whole and belongs to the job (R-PKT-3).
    #[serde(default, deserialize_with = "given::<_, _, 18>")]
    pub integrity: Option<IntegrityKind>,
    /// Transport between workers and slots (R-CTRL-10); a switch with udp shares no memory with workers on its host.
    #[serde(default, deserialize_with = "given::<_, _, 19>")]
    pub transport: Option<Transport>,
    /// Cores on which netfold's own threads stay: the switch's thread i, with its slots, on the i-th of them; workers of one host take turns with them.
    #[serde(default, deserialize_with = "given::<_, _, 20>")]
    pub pin: Option<CoreList>,
    /// Seconds of silence after which a worker or a switch counts as lost.
    #[serde(deserialize_with = "value::<_, _, 21>")]
    pub timeout: Seconds,
    /// Lanes of a packet.
    #[serde(default, deserialize_with = "given::<_, _, 22>")]
    pub packet_elements: Option<u16>,
    /// Slots of each flow for bulk; a quarter as many, 8 to 64, come on top for urgent calls (R-CTRL-2).
    #[serde(default, deserialize_with = "given::<_, _, 23>")]
    pub slots: Option<u16>,
    /// The job's part of a queue that it shares with others, where the network marks (R-ECN-4).
    #[serde(deserialize_with = "value::<_, _, 24>")]
    pub weight: u16,
    /// The job waits for its only switch to start again when that is lost (R-RES-1); with standbys it does so anyway.
    #[serde(deserialize_with = "value::<_, _, 25>")]
    pub resumable: bool,
    /// No call goes to Gloo: what the switch does not fold is gathered by it and folded at the workers; all other programs have nothing to hand calls to.
    #[serde(deserialize_with = "value::<_, _, 26>")]
    pub strict: bool,
    /// At the end of an MPI program a report tells where its collectives went, and their times beside the host's own, for which one call in 32 of each kind and size goes to the host (R-MPI-12).
    #[serde(deserialize_with = "value::<_, _, 27>")]
    pub mpi_report: bool,
    /// Table of the collectives that netfold takes from an MPI program; `all` or `none` in its place (R-MPI-4).
    #[serde(default, deserialize_with = "given::<_, _, 28>")]
    pub mpi_table: Option<String>,
    /// List of operations of an MPI program whose bodies netfold has: lines with the name of a function and a module of WebAssembly (R-MPI-18).
    #[serde(default, deserialize_with = "given::<_, _, 29>")]
    pub mpi_operations: Option<String>,
    /// File for a trace of the collectives of an MPI program, which ranks share or, with `%r` in its name, have one each (R-MTR).
    #[serde(default, deserialize_with = "given::<_, _, 30>")]
    pub mpi_trace: Option<String>,
}

impl Settings {
    /// Returns the value of each setting, by its key.
    pub fn values(&self) -> [(&'static str, Value); 30] {
        [
            ("log", self.log.shown()),
            ("listen", self.listen.shown()),
            ("cores", self.cores.shown()),
            ("memory", self.memory.shown()),
            ("metrics", self.metrics.shown()),
            ("data", self.data.shown()),
            ("parent", self.parent.shown()),
            ("ops", self.ops.shown()),
            ("ops_key_file", self.ops_key_file.shown()),
            ("token", self.token.shown()),
            ("token_file", self.token_file.shown()),
            ("switch", self.switch.shown()),
            ("servers", self.servers.shown()),
            ("arithmetic", self.arithmetic.shown()),
            ("overflow", self.overflow.shown()),
            ("byte_order", self.byte_order.shown()),
            ("protocol", self.protocol.shown()),
            ("integrity", self.integrity.shown()),
            ("transport", self.transport.shown()),
            ("pin", self.pin.shown()),
            ("timeout", self.timeout.shown()),
            ("packet_elements", self.packet_elements.shown()),
            ("slots", self.slots.shown()),
            ("weight", self.weight.shown()),
            ("resumable", self.resumable.shown()),
            ("strict", self.strict.shown()),
            ("mpi_report", self.mpi_report.shown()),
            ("mpi_table", self.mpi_table.shown()),
            ("mpi_operations", self.mpi_operations.shown()),
            ("mpi_trace", self.mpi_trace.shown()),
        ]
    }
}
