# Generated from spec/settings.toml by `cargo xtask codegen`; do not edit.
"""The settings that the package reads, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Values:
    """The value of every setting: what was given, else its default."""

    listen: str = "127.0.0.1:0"
    """Address to listen at: of a switch, TCP for the jobs, UDP at the same port and one more for
    each further core; of a server of sparse tables, TCP; port 0 takes free ones
    (NETFOLD_LISTEN).
    """

    cores: int = 1
    """Threads of the switch that fold, each with a share of the memory and a UDP port
    (NETFOLD_CORES).
    """

    memory_bytes: int = 67108864
    """Memory of the switch for the slots of all jobs, or of a server for the rows of each table;
    KiB, MiB and GiB are powers of 1024, kB, MB and GB of 1000 (NETFOLD_MEMORY).
    """

    token: str | None = field(default=None, repr=False)
    """Secret of the jobs; others on the machine can read an option in the list of processes:
    prefer token_file (NETFOLD_TOKEN).
    """

    token_file: str | None = None
    """File that holds the secret of the jobs; white space around it does not count
    (NETFOLD_TOKEN_FILE).
    """

    switch: str | None = None
    """Address of the switch, and after commas those of its standbys, the same for every worker:
    a job goes on at the next one when its own is lost, and ctl asks the first that answers
    (NETFOLD_SWITCH).
    """

    servers: str | None = None
    """Addresses of the servers of sparse tables, with commas between, in the same order for
    every worker; ctl asks them beside the switch (NETFOLD_SERVERS).
    """

    arithmetic: str = "block"
    """Arithmetic of sums (R-NUM-2): block fixed point (SwitchML), IEEE 754, floating point on
    integers (FPISA), or tables of logarithms (Libra) (NETFOLD_ARITHMETIC).
    """

    overflow: str = "error"
    """Policy for a block whose sum overflows a register of fpisa or fpisa-a (R-SLOT-11): the job
    fails, or the block is folded again by native (NETFOLD_OVERFLOW).
    """

    byte_order: str = "little"
    """Order of a lane's bytes in packets (R-NUM-19); results are the same (NETFOLD_BYTE_ORDER)."""

    protocol: str = "shadow"
    """Rule of the reuse of slots (R-ACK): with shadow a slot has two copies of its lanes, with
    acked one, whose result is acknowledged: half the memory, twice the packets
    (NETFOLD_PROTOCOL).
    """

    integrity: str | None = None
    """Proof that a packet is whole and belongs to the job (R-PKT-3) (NETFOLD_INTEGRITY)."""

    transport: str | None = None
    """Transport between workers and slots (R-CTRL-10); a switch with udp shares no memory with
    workers on its host (NETFOLD_TRANSPORT).
    """

    pin: str | None = None
    """Cores on which netfold's own threads stay: the switch's thread i, with its slots, on the
    i-th of them; workers of one host take turns with them (NETFOLD_PIN).
    """

    timeout_s: float = 10.0
    """Seconds of silence after which a worker or a switch counts as lost (NETFOLD_TIMEOUT)."""

    packet_elements: int | None = None
    """Lanes of a packet (NETFOLD_PACKET_ELEMENTS)."""

    slots: int | None = None
    """Slots of each flow for bulk; a quarter as many, 8 to 64, come on top for urgent calls
    (R-CTRL-2) (NETFOLD_SLOTS).
    """

    weight: int = 1
    """The job's part of a queue that it shares with others, where the network marks (R-ECN-4)
    (NETFOLD_WEIGHT).
    """

    resumable: bool = False
    """The job waits for its only switch to start again when that is lost (R-RES-1); with
    standbys it does so anyway (NETFOLD_RESUMABLE).
    """

    strict: bool = False
    """No call goes to Gloo: what the switch does not fold is gathered by it and folded at the
    workers; all other programs have nothing to hand calls to (NETFOLD_STRICT).
    """
