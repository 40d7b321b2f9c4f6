//! Measurements of the workers, as figures.

use std::fmt;

use comfy_table::{Cell, CellAlignment};
use netfold_net::Transport;
use serde::Serialize;

use super::worker::{Agreed, Measured};
use crate::terminal;
use netfold_settings::Size;

/// A whole benchmark.
#[derive(Serialize)]
pub(crate) struct Results {
    /// Version of this program.
    pub netfold: &'static str,
    /// `embedded`, or the address of the switch.
    pub switch: String,
    /// Workers, all on this machine.
    pub workers: u16,
    /// `processes` or `threads`.
    pub workers_are: &'static str,
    /// The job's arithmetic.
    pub arithmetic: String,
    /// Policy for sums that overflow their registers.
    pub overflow: String,
    /// The order of a lane's bytes.
    pub byte_order: String,
    /// Protocol by which slots are used again.
    pub protocol: String,
    /// Type of the vector's elements.
    pub element_type: String,
    /// Timed calls for each size.
    pub iterations: u32,
    /// Parameters that the job has agreed on.
    #[serde(flatten)]
    pub agreed: Agreed,
    /// Each size.
    pub sizes: Vec<Figures>,
}

/// One size. The time of a call is that of the slowest worker in it.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Figures {
    /// Bytes of the vector.
    pub bytes: u64,
    /// Half of the calls took less time than this, in milliseconds.
    pub median_ms: f64,
    /// One in twenty took less.
    pub p5_ms: f64,
    /// One in twenty took more.
    pub p95_ms: f64,
    /// Bytes of the vector by the median, in 10^9 bytes per second: what each worker gets folded.
    pub gb_per_s: f64,
    /// Datagrams sent again, over all workers and calls.
    pub retransmissions: u64,
    /// Datagrams for each system call that sent some, over all workers, calls, and barriers between
    /// them; `None` if none did, as in shared memory.
    pub packets_per_send_call: Option<f64>,
}

impl Figures {
    /// Computes the figures for vectors of `bytes` from the measurements of each worker.
    pub(crate) fn of(bytes: u64, workers: &[&Measured]) -> Self {
        let calls = workers.iter().map(|worker| worker.nanoseconds.len()).min().unwrap_or(0);
        let slowest =
            |call: usize| workers.iter().map(|worker| worker.nanoseconds[call]).max().unwrap_or(0);
        let mut times: Vec<u64> = (0..calls).map(slowest).collect();
        times.sort_unstable();
        let ms = |share| quantile(&times, share) / 1e6;
        let total =
            |part: fn(&Measured) -> u64| workers.iter().map(|worker| part(worker)).sum::<u64>();
        let send_calls = total(|worker| worker.send_calls);
        Self {
            bytes,
            median_ms: ms(0.5),
            p5_ms: ms(0.05),
            p95_ms: ms(0.95),
            gb_per_s: bytes as f64 / quantile(&times, 0.5),
            retransmissions: total(|worker| worker.retransmissions),
            packets_per_send_call: (send_calls > 0)
                .then(|| total(|worker| worker.packets_sent) as f64 / send_calls as f64),
        }
    }
}

/// The value below which `share` of the sorted ones lie, in proportion between two of them.
fn quantile(sorted: &[u64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let (below, above) =
        (sorted[place.floor() as usize] as f64, sorted[place.ceil() as usize] as f64);
    below + (above - below) * place.fract()
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreed { transport, flows, slots, payload_bytes, segmentation } = self.agreed;
        writeln!(
            f,
            "all-reduce of {}, arithmetic {}, overflow {}, lanes {}, protocol {}; workers: {} ({}); switch: {}; timed calls of each size: {}; results checked",
            self.element_type,
            self.arithmetic,
            self.overflow,
            self.byte_order,
            self.protocol,
            self.workers,
            self.workers_are,
            self.switch,
            self.iterations
        )?;
        let way = match transport {
            Transport::Shm => "through shared memory",
            Transport::Udp if segmentation => "over UDP, several packets per system call",
            _ => "over UDP, one packet per system call",
        };
        writeln!(
            f,
            "flows per worker: {flows}; slots per flow: {slots}; lanes of a packet: {}; {way}",
            Size(u64::from(payload_bytes))
        )?;
        let mut table = terminal::table([
            "vector",
            "median ms",
            "p5 ms",
            "p95 ms",
            "GB/s per worker",
            "retransmissions",
            "packets per send call",
        ]);
        for figures in &self.sizes {
            let cells = [
                Size(figures.bytes).to_string(),
                format!("{:.3}", figures.median_ms),
                format!("{:.3}", figures.p5_ms),
                format!("{:.3}", figures.p95_ms),
                format!("{:.3}", figures.gb_per_s),
                figures.retransmissions.to_string(),
                figures
                    .packets_per_send_call
                    .map_or_else(|| "-".into(), |packets| format!("{packets:.1}")),
            ];
            table.add_row(cells.map(|cell| Cell::new(cell).set_alignment(CellAlignment::Right)));
        }
        writeln!(f, "{table}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_takes_as_long_as_its_slowest_worker() {
        let worker = |nanoseconds: &[u64]| Measured {
            nanoseconds: nanoseconds.to_vec(),
            retransmissions: 1,
            packets_sent: 30,
            send_calls: 4,
        };
        let (a, b) = (
            worker(&[1_000_000, 4_000_000, 2_000_000]),
            worker(&[3_000_000, 1_000_000, 1_000_000]),
        );
        let figures = Figures::of(6_000_000, &[&a, &b]);
        // The calls took 3, 4 and 2 ms; the quantiles lie a tenth of the way from an end to the
        // middle.
        let expected = Figures {
            bytes: 6_000_000,
            median_ms: 3.0,
            p5_ms: 2.1,
            p95_ms: 3.9,
            gb_per_s: 2.0,
            retransmissions: 2,
            packets_per_send_call: Some(7.5),
        };
        assert_eq!(figures, expected);
    }

    #[test]
    fn without_system_calls_there_are_no_packets_for_each() {
        let worker = Measured { nanoseconds: vec![1], packets_sent: 30, ..Measured::default() };
        assert_eq!(Figures::of(8, &[&worker]).packets_per_send_call, None);
    }

    #[test]
    fn one_call_is_all_its_quantiles() {
        for share in [0.05, 0.5, 0.95] {
            assert_eq!(quantile(&[7], share), 7.0);
        }
    }
}
