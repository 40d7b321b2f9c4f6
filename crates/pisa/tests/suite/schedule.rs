//! The stages that a compiler chooses, beside those that the programs say (R-PISA-41).

use netfold_num::Protocol;
use netfold_pisa::catalog::{Name, Request};
use netfold_pisa::program::{
    ArrayId, BinOp, FieldId, Gress, HeaderId, Match, Operand, Program, Word,
};
use netfold_pisa::programs::{Arithmetic, fpisa::Variant};
use netfold_pisa::schedule::{Stages, scheduled};
use netfold_pisa::{AccessSpec, ActionSpec, Builder, TableSpec, Target};

/// A table without keys that puts one field into another.
fn moves(bench: &Bench, name: &str, from: &str, to: &str) -> TableSpec {
    let (from, to) = (bench.field(from), bench.field(to));
    TableSpec::new(name, 0, "").action(ActionSpec::new("act").set(to, from)).otherwise("act")
}

/// A program that is being written, with a header of 26 fields.
struct Bench {
    builder: Builder,
    header: HeaderId,
}

impl Bench {
    fn field(&self, name: &str) -> FieldId {
        self.builder.of(self.header, name)
    }

    fn array(&mut self, name: &str) -> ArrayId {
        self.builder.array(name, Word::Single(32), 16, "")
    }

    fn ingress(&mut self, table: TableSpec) {
        self.builder.table(Gress::Ingress, table);
    }

    /// The stages of its tables, scheduled.
    fn stages(self) -> Vec<usize> {
        let program = scheduled(&self.builder.finish(), &Target::tofino());
        program.ingress.iter().map(|table| table.stage).collect()
    }
}

fn bench() -> Bench {
    let mut builder = Builder::new("bench", &[]);
    let names: Vec<String> = ('a'..='z').map(String::from).collect();
    let fields: Vec<_> = names.iter().map(|name| (name.as_str(), 32)).collect();
    let header = builder.header("values", &fields);
    builder.state("start", &[header]);
    Bench { builder, header }
}

/// R-PISA-41: a table comes a stage after the one that writes what it reads. Two that write one
/// field are in different stages, unless gates say that a packet goes through one of them. A table
/// that writes a field may share the stage of one that reads it.
#[test]
fn tables_follow_their_dependencies() {
    let mut bench = self::bench();
    for (name, from, to) in
        [("first", "a", "b"), ("reader", "b", "c"), ("writer", "d", "b"), ("behind", "e", "a")]
    {
        let table = moves(&bench, name, from, to);
        bench.ingress(table);
    }
    // `behind` writes what `first` reads.
    assert_eq!(bench.stages(), [0, 1, 1, 0]);

    let mut bench = self::bench();
    let gate = bench.field("z");
    for (name, value) in [("one", 1), ("other", 2)] {
        let table = moves(&bench, name, "a", "b").when(gate, value);
        bench.ingress(table);
    }
    assert_eq!(bench.stages(), [0, 0]);
}

/// Four arrays to a stage, and the tables of an array in one stage, behind all that any of them
/// needs.
#[test]
fn arrays_fill_stages() {
    let mut bench = self::bench();
    let index = bench.field("z");
    for at in 0..6 {
        let array = bench.array(&format!("array{at}"));
        let action = ActionSpec::new("act").access(AccessSpec::new(array, index));
        let table = TableSpec::new(&format!("use{at}"), 0, "").action(action).otherwise("act");
        bench.ingress(table);
    }
    assert_eq!(bench.stages(), [0, 0, 0, 0, 1, 1]);

    let mut bench = self::bench();
    let (index, late, key) = (bench.field("z"), bench.field("b"), bench.field("y"));
    let array = bench.array("shared");
    let first = moves(&bench, "first", "a", "b");
    bench.ingress(first);
    for (name, at) in [("early", index), ("late", late)] {
        let action = ActionSpec::new("act").access(AccessSpec::new(array, at));
        bench.ingress(TableSpec::new(name, 1, "").key(key, Match::Exact).action(action));
    }
    assert_eq!(bench.stages(), [0, 1, 1]);
}

/// The longest chain goes first: here it has nine tables, and the VLIW words of a stage are full.
#[test]
fn the_longest_chain_goes_first() {
    let mut bench = self::bench();
    // 32 actions each: a stage holds one of these tables.
    let wide = |bench: &Bench, name: &str, from: &str, to: &str| {
        let (from, to) = (bench.field(from), bench.field(to));
        (0..32).fold(TableSpec::new(name, 0, ""), |table, action| {
            let name = format!("act{action}");
            table.action(ActionSpec::new(&name).binary(
                to,
                BinOp::Add,
                from,
                Operand::Const(action),
            ))
        })
    };
    for (name, from, to) in [("alone", "a", "b"), ("head", "c", "d"), ("tail", "d", "e")] {
        let table = wide(&bench, name, from, to);
        bench.ingress(table);
    }
    assert_eq!(bench.stages(), [1, 0, 2]);
}

fn made(name: Name, elements: u16) -> Program {
    Request { slots: 128, ..Request::new(name, elements) }.make().program
}

/// R-PISA-41: the open compiler for Tofino 1 takes so many stages, in which no array is doubled.
#[test]
fn stages_are_those_of_the_compiler() {
    let mut compared = 0;
    let protocols = |name| Protocol::ALL.map(|protocol| (name, protocol));
    for (name, protocol) in Name::ALL.into_iter().flat_map(protocols) {
        for elements in [1, 4, 8, 64, 256] {
            let request = Request { protocol, slots: 128, ..Request::new(name, elements) };
            let Ok(request) = request.checked() else { continue };
            for compiled in request.compiled().filter(|one| one.target == "tofino") {
                let found = Stages::of(&scheduled(&request.make().program, &Target::tofino()));
                let wanted = (compiled.ingress, compiled.egress);
                assert_eq!((found.ingress, found.egress), wanted, "{}", compiled.stem);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 9, "all of p4/tna");
}

/// P4SGD in one stage fewer than it has counters and bitmaps in a row: its two sides exclude each
/// other. Without the gates that say so each side takes stages of its own: six, as the compiler
/// took before there were gates.
#[test]
fn sides_share_stages_by_their_gates() {
    let program = made(Name::P4Sgd, 8);
    let stages = |program: &Program| Stages::of(&scheduled(program, &Target::tofino())).last;
    assert_eq!(stages(&program), 5);
    let mut bare = program;
    bare.ingress.iter_mut().for_each(|table| table.gates.clear());
    assert_eq!(stages(&bare), 6);
}

/// A program that is emitted for Tofino is scheduled in no more stages than it says, and than there
/// are.
#[test]
fn nothing_takes_more_stages_than_it_says() {
    let block = Arithmetic::Block;
    for (name, elements) in [
        (Name::SwitchMl(block), 64),
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)), 1),
        (Name::SwitchMlRoce(block), 64),
        (Name::SwitchMlRoce(block), 256),
        (Name::P4Sgd, 8),
        (Name::FpisaA, 1),
    ] {
        let program = made(name, elements);
        let (placed, found) =
            (Stages::of(&program), Stages::of(&scheduled(&program, &Target::tofino())));
        assert!(found.last <= placed.last, "{name:?}: {found:?}, {placed:?}");
        assert!(found.ingress <= placed.ingress && found.egress <= placed.egress, "{name:?}");
    }
}
