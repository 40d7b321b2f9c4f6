//! Nodes that stop, and switches that start again.

use rand::RngExt;

use super::make::machine;
use super::{Managed, ManagementPlane, Who};
use crate::cluster::Cluster;
use crate::setup::Stop;

impl Managed {
    /// A node stops.
    pub(super) fn crash(&mut self, node: u32, how: Stop, cluster: &mut Cluster) {
        self.log(cluster.now, || format!("node {node} stops: {how:?}"));
        if how == Stop::Stopped {
            self.at_switch(node, cluster, |machine, plane| machine.stop(plane));
        }
        let processes: Vec<u32> = (0..self.processes.len() as u32)
            .filter(|process| self.node_of(Who::Process(*process)) == node)
            .collect();
        for process in processes {
            self.stop_process(process, cluster);
        }
        if let Some(plane) = self.switches.get_mut(node as usize) {
            plane.machine = None;
        }
        for (pipe, end) in self.pipes.at_node(node) {
            if how != Stop::Silent {
                self.hang_up(pipe, end, cluster);
            }
            self.pipes.set_open(pipe, end, false);
        }
        // If only the process has gone, the system refuses connections.
        self.pipes.silent[node as usize] = how == Stop::Silent;
    }

    /// The process of a switch starts anew: it knows nothing, its memory is free, and it takes
    /// connections again.
    pub(super) fn restart(&mut self, switch: u32, cluster: &mut Cluster) {
        // Otherwise it has been stopped again since, for longer.
        if !cluster.start_pipelines(switch) {
            return;
        }
        self.log(cluster.now, || format!("switch {switch} starts again"));
        let Cluster { setup, topology, .. } = cluster;
        let Some(management) = &setup.management else { return };
        let machine = machine(setup, management, topology, switch, self.rng.random());
        self.switches[switch as usize] = ManagementPlane::new(machine);
        // As soon as it does anything at all.
        let now_us = cluster.now.us();
        self.arm(Who::Switch(switch), Some(now_us), cluster);
    }
}
