//! Reactions of a worker of an elastic job to what it hears of the job.

use std::collections::VecDeque;
use std::sync::Arc;

use netfold_management::{
    Action, ClientError, Ending, Failover, FlowRounds, LocalSockets, Membership, Message, Outgoing,
    Participant, Progress, Step,
};
use netfold_worker::CallId;

use super::{Call, Given, Item, Line, SWITCH, Worker, first_request};
use crate::elastic::plane::RegistryInput;

impl Worker {
    /// Opens a connection of this number, by which it joins when the switch has greeted it.
    pub(in crate::elastic) fn connect(&mut self, conn: u64) -> Given {
        let Some(request) = self.request.take() else { return Given::default() };
        let mut member = Membership::new(0, SWITCH, SWITCH.to_string(), request);
        member.connected(0);
        let former = self.line.replace(Arc::new(Line { conn, member, inbox: VecDeque::new() }));
        // One that was turned away has no epoch behind it.
        self.former = former.filter(|line| !line.member.is_over()).or(self.former.take());
        let inputs = self.proceed(conn);
        self.settle(0, inputs, true)
    }

    /// Takes the next that has come over a connection.
    pub(in crate::elastic) fn hear(&mut self, conn: u64) -> Given {
        let Some(item) = self.line_mut(conn).and_then(|line| line.inbox.pop_front()) else {
            return Given::default();
        };
        let tampering = self.tampering;
        let message = match item {
            Item::Message(message) => Some(message),
            Item::Welcome(mut welcome, members) => {
                (tampering.welcome)(&mut welcome);
                self.members = members;
                Some(Box::new(Message::Welcome(welcome)))
            }
            Item::Closed => None,
        };
        if let Some(line) = self.line_mut(conn) {
            match message {
                Some(message) => line.member.handle(0, *message),
                None => line.member.disconnected("it closed the connection"),
            }
        }
        let inputs = self.proceed(conn);
        self.settle(0, inputs, true)
    }

    /// Does what a connection wants done. Gives what the switch is told.
    fn proceed(&mut self, conn: u64) -> Vec<RegistryInput> {
        let mut inputs = Vec::new();
        while let Some(line) = self.line_mut(conn) {
            match line.member.poll_output() {
                Some(Outgoing::Send(message)) => {
                    inputs.push(RegistryInput::Message(conn, message.into()))
                }
                Some(Outgoing::Close) => inputs.push(RegistryInput::Closed(conn)),
                None => match line.member.poll_progress() {
                    Some(progress) => inputs.extend(self.take_progress(conn, progress)),
                    None => break,
                },
            }
        }
        inputs
    }

    fn take_progress(&mut self, conn: u64, progress: Progress) -> Vec<RegistryInput> {
        match progress {
            Progress::Greeted(_) => {
                let sockets = LocalSockets {
                    udp_ports: vec![1],
                    max_datagram: 1472,
                    receive_buffer: 1 << 20,
                    shares_memory: false,
                    host: None,
                };
                if let Some(line) = self.line_mut(conn) {
                    line.member.join(0, sockets);
                }
                return Vec::new();
            }
            Progress::Welcome(welcome) => match self.part.as_mut().map(Arc::make_mut) {
                Some(part) => part.joined(welcome),
                None => {
                    let mut request = first_request(&self.job, self.number);
                    let failover = Failover::new(1, &mut request);
                    self.part = Some(Arc::new(Participant::new(failover, request, welcome)));
                    self.begin();
                }
            },
            Progress::Notice(notice) => {
                let calls = &self.calls;
                if let Some(part) = self.part.as_mut().map(Arc::make_mut) {
                    part.handle(notice, |from| Self::in_progress(calls, from));
                }
            }
            Progress::Rejected(why) => {
                let oldest = Self::in_progress(&self.calls, CallId(0));
                let part = self
                    .part
                    .as_mut()
                    .expect("nobody is turned away from the first epoch of a model");
                let part = Arc::make_mut(part);
                part.turned_away(0, &ClientError::rejected("the switch", why), oldest);
            }
            _ => {}
        }
        self.go_on()
    }

    /// Carries out the requests of its part in the job.
    fn go_on(&mut self) -> Vec<RegistryInput> {
        let mut inputs = Vec::new();
        while let Some(part) = self.part.as_mut().map(Arc::make_mut) {
            if let Some(action) = part.poll_action() {
                match action {
                    Action::Fail { first, error } => self.end_calls(first, &error),
                    Action::End(error) => {
                        self.end_calls(CallId(0), &error);
                        (self.stream, self.request) = (None, None);
                        inputs.extend(self.hang_up_all());
                    }
                    // Nobody reports or asks in a run that is right.
                    Action::Describe { .. } | Action::Tell(_) => {}
                    Action::Slots { .. } | Action::ReturnSlots => {
                        unreachable!("an elastic job has no lent slots (R-CTRL-25)")
                    }
                }
                continue;
            }
            match part.poll_step() {
                Some(Step::Suspend(_)) => {
                    self.suspended = true;
                    let oldest = Self::in_progress(&self.calls, CallId(0));
                    part.suspended(0, vec![FlowRounds::new([])], oldest);
                }
                Some(Step::Join(_, request)) => self.request = Some(*request),
                Some(Step::Resume) => unreachable!("no switch of an elastic job is lost here"),
                Some(Step::Restart(error)) => {
                    inputs.extend(self.close_former());
                    self.restart(&error);
                }
                None => break,
            }
        }
        inputs
    }

    fn restart(&mut self, error: &Ending) {
        let kept = self.tampering.keeps_calls;
        let in_progress: Vec<usize> =
            (0..self.calls.len()).filter(|call| self.calls[*call] == Call::InProgress).collect();
        if kept {
            self.begin();
            in_progress.into_iter().for_each(|call| self.submit(call));
        } else {
            self.end_calls(CallId(0), error);
            self.begin();
        }
        if let Some(part) = self.part.as_mut().map(Arc::make_mut) {
            part.arrived();
        }
    }

    fn close_former(&mut self) -> Vec<RegistryInput> {
        let former = self.former.take();
        former
            .filter(|line| !line.member.is_over())
            .map(|line| RegistryInput::Closed(line.conn))
            .into_iter()
            .collect()
    }

    fn hang_up_all(&mut self) -> Vec<RegistryInput> {
        let mut inputs = self.close_former();
        let line = self.line.take();
        inputs.extend(
            line.filter(|line| !line.member.is_over()).map(|line| RegistryInput::Closed(line.conn)),
        );
        inputs
    }

    /// Puts something under way to it.
    pub(in crate::elastic) fn send(&mut self, conn: u64, item: Item) {
        if let Some(line) = self.line_mut(conn) {
            line.inbox.push_back(item);
            self.changed(true);
        }
    }
}
