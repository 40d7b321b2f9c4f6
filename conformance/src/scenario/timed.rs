//! A scenario in the simulator: the same calls, on racks with queues, cores that take time, and
//! links with faults.

use netfold_sim::{
    Bursts, Calibration, Cluster, Content, Costs, CostsOf, Cut, Faults, HostSetup, Input, JobSetup,
    Layer, Setup, SwitchSetup, Time,
};
use netfold_wire::{IntegrityKind, Terms};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Scenario, WAIT_LIMIT_US, at_rest};

impl Scenario {
    /// Runs it in the simulator, on a tree of one or two layers that is drawn from the seed, and
    /// checks every output as [`Scenario::run`] does. Workers come to a call together.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run_in_time(&self) -> Result<Cluster, String> {
        let setup = self.in_time();
        let switches = setup.layers[..setup.layers.len() - 1]
            .iter()
            .map(|layer| layer.fan_out as usize)
            .sum::<usize>()
            + 1;
        let mut cluster = Cluster::new(&setup, &Calibration::built_in(), self.seed)
            .map_err(|error| error.to_string())?;
        for planned in &self.calls {
            let at = Time::from_us(planned.at_us.iter().copied().max().unwrap_or(0));
            let input = Input::Bytes { inputs: planned.inputs.clone(), in_place: planned.in_place };
            cluster.submit(0, planned.call, at, input).map_err(|error| error.to_string())?;
        }
        cluster.run();
        let results = |rank, call| cluster.result(0, call, rank).unwrap_or_default();
        for number in 0..self.calls.len() {
            if cluster.completed(0, number).is_none() {
                return Err(format!("call {number} does not end: {:?}", cluster.report()));
            }
        }
        self.check_all(switches, results)?;
        cluster.shards().try_for_each(at_rest)?;
        if cluster.datagrams_held() > 0 || cluster.link_counters().under_way() > 0 {
            return Err("datagrams are left behind".to_owned());
        }
        Ok(cluster)
    }

    fn in_time(&self) -> Setup {
        let rng = &mut Pcg64Mcg::seed_from_u64(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let workers = u32::from(self.setup.workers);
        let racks = rng.random_range(1..=workers.min(6));
        let fan_outs =
            if racks == 1 { vec![workers] } else { vec![racks, workers.div_ceil(racks)] };
        let drawn = &self.setup.faults;
        let faults = Faults {
            loss: drawn.loss,
            bursts: (drawn.loss > 0.0 && rng.random_bool(0.3)).then_some(Bursts {
                begin: 0.01,
                end: 0.2,
                loss: 0.9,
            }),
            duplication: drawn.duplicate,
            reordering: drawn.late,
            reordering_ns: drawn.late_us.end() * 1000,
            // Nothing finds a flipped bit where packets do not prove themselves.
            corruption: if self.setup.terms.integrity == IntegrityKind::Transport {
                0.0
            } else {
                drawn.corrupt
            },
        };
        let layer = |rng: &mut Pcg64Mcg, fan_out| Layer {
            fan_out,
            rate_gbps: [0.1, 1.0, 100.0][rng.random_range(0..3)],
            delay_ns: rng.random_range(0..100_000),
            queue_bytes: rng.random_range(5_000..1_000_000),
            mark_bytes: None,
            faults,
        };
        let costs = if rng.random_bool(0.5) {
            CostsOf::Nothing
        } else {
            let ns = rng.random_range(10.0..5_000.0);
            CostsOf::Given(Costs {
                receive_packet_ns: ns,
                receive_byte_ns: 0.1,
                send_packet_ns: ns,
                send_byte_ns: 0.1,
            })
        };
        let last = fan_outs.len() - 1;
        let cut = drawn.partition.as_ref().map(|cut| Cut {
            layer: last,
            child: cut.worker.into(),
            from_us: *cut.during_us.start(),
            until_us: *cut.during_us.end(),
        });
        let last_us =
            self.calls.iter().flat_map(|planned| planned.at_us.iter().copied()).max().unwrap_or(0);
        Setup {
            layers: fan_outs.into_iter().map(|fan_out| layer(rng, fan_out)).collect(),
            switches: SwitchSetup { pipelines: self.setup.flows, costs, ..SwitchSetup::default() },
            hosts: HostSetup {
                cores: rng.random_range(1..=self.setup.flows),
                costs,
                ..HostSetup::default()
            },
            traffic: Vec::new(),
            jobs: vec![JobSetup {
                flows: self.setup.flows,
                slots: self.setup.slots,
                urgent_slots: Some(self.setup.urgent_slots),
                exchange_slots: Some(self.setup.exchange_slots),
                payload_bytes: self.setup.payload_bytes,
                content: Content::Real,
                terms: Terms { resumable: false, ..self.setup.terms },
                timing: self.setup.timing,
                ..JobSetup::new(self.setup.workers)
            }],
            cuts: cut.into_iter().collect(),
            until_ms: (last_us + WAIT_LIMIT_US) / 1000,
            ..Setup::new(Vec::new(), Vec::new())
        }
    }
}
