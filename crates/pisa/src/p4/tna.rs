//! Programs for Tofino: TNA, which Tofino 2 takes as T2NA by another include.

use std::collections::BTreeSet;

use netfold_num::ByteOrder;

use super::expr::{Scope, hash_name, safe};
use super::units::Units;
use super::{
    Arch, EGRESS, EmitError, INGRESS, Part, Text, head, names, parser, registers, tables, types,
};
use crate::check::{extracted, reads, writes};
use crate::program::{
    Crc, FieldId, Gress, HeaderId, Home, Intrinsic, Op, Operand, Output, Program, StateId,
};

/// The parts of a program.
pub(super) fn parts(program: &Program) -> Result<Vec<Part>, EmitError> {
    if let Some(header) = program.headers.iter().find(|one| one.byte_order == ByteOrder::Little) {
        return Err(EmitError::ByteOrder { header: header.name.clone() });
    }
    let scope = |gress| Scope { program, arch: Arch::Tna, gress, in_unit: false };
    let mut text = Text::default();
    head(&mut text, program, "Tofino (TNA)");
    text.line("#include <core.p4>");
    text.line("#if __TARGET_TOFINO__ == 2");
    text.line("#include <t2na.p4>");
    text.line("#else");
    text.line("#include <tna.p4>");
    text.line("#endif");
    names::define(&mut text, Arch::Tna);
    text.gap();
    types(&mut text, program, Arch::Tna);
    registers::pair_types(&mut text, program);
    let leaving = extracted(program, program.egress_parser);
    let all: Vec<HeaderId> = (0..program.headers.len()).map(HeaderId).collect();
    for (name, headers) in [("headers_t", &all), ("leaving_headers_t", &leaving)] {
        text.begin(name);
        text.line(format!("struct {name} {{"));
        headers.iter().for_each(|id| text.line(format!("{0}_h {0};", program.header(*id).name)));
        text.line("}");
        text.end();
    }
    for (gress, name) in [(Gress::Ingress, "metadata_t"), (Gress::Egress, "leaving_metadata_t")] {
        text.begin(name);
        text.line(format!("struct {name} {{"));
        for field in metadata(program, gress) {
            let field = program.field(field);
            text.line(format!("bit<{}> {};", field.bits, safe(&field.name)));
        }
        text.line("}");
        text.end();
    }
    text.gap();
    ingress(&mut text, &scope(Gress::Ingress))?;
    egress(&mut text, &scope(Gress::Egress), &leaving)?;
    text.line(format!(
        "Pipeline(IngressParser(), {INGRESS}(), IngressDeparser(), EgressParser(), {EGRESS}(), EgressDeparser()) pipe;"
    ));
    text.gap();
    text.line(
        "// Fields that no stage has written are 0, as in the description that this comes from.",
    );
    text.line("@pa_auto_init_metadata");
    text.line("Switch(pipe) main;");
    Ok(text.finish())
}

/// Metadata that one sequence of stages, and its parser, use.
fn metadata(program: &Program, gress: Gress) -> BTreeSet<FieldId> {
    let tables = program.tables(gress).iter();
    let used = tables.flat_map(|table| reads(table).into_iter().chain(writes(table)));
    let set = program.parser.iter().flat_map(|state| state.sets.iter().map(|(field, _)| *field));
    let parsed: Vec<_> = if gress == Gress::Ingress {
        set.chain(program.report.iter().copied()).collect()
    } else {
        Vec::new()
    };
    used.chain(parsed).filter(|field| program.field(*field).home == Home::Metadata).collect()
}

/// Hash units that a sequence of stages uses in tables of its own.
pub(crate) fn hash_units(text: &mut Text, scope: &Scope<'_>, units: &Units) {
    let tables = scope.program.tables(scope.gress).iter().filter(|table| !units.have_table(table));
    let actions = tables.flat_map(|table| table.actions.iter().map(move |action| (table, action)));
    let ops =
        actions.flat_map(|(table, action)| action.ops.iter().map(move |op| (table, action, op)));
    let ops: Vec<_> = ops.filter(|(_, _, op)| op.is_hashed()).collect();
    if ops.iter().any(|(_, _, op)| matches!(op, Op::Crc32 { form: Crc::Linear, .. })) {
        text.begin("linear_crc");
        text.line("// From 0, and not inverted: a linear map.");
        text.line("CRCPolynomial<bit<32>>(32w0x04C11DB7, true, false, false, 32w0, 32w0) linear;");
        text.end();
    }
    for (table, action, op) in ops {
        let algorithm = match op {
            Op::Crc32 { form: Crc::Ethernet, .. } => "CRC32",
            Op::Crc32 { form: Crc::Linear, .. } => "CUSTOM, linear",
            _ => "IDENTITY",
        };
        let bits = scope.program.field(op.writes()).bits;
        let name = hash_name(scope.program, table, action, op.writes());
        text.begin(name.clone());
        text.line(format!("Hash<bit<{bits}>>(HashAlgorithm_t.{algorithm}) {name};"));
        text.end();
    }
}

/// Puts a header field that a stateful ALU of 8 or 16 bits gives back into a container as wide. It
/// cannot be written into a part of a wider one.
fn containers(text: &mut Text, scope: &Scope<'_>) {
    let Scope { program, gress, .. } = *scope;
    let accesses = program
        .tables(gress)
        .iter()
        .flat_map(|table| &table.actions)
        .filter_map(|action| action.access.as_ref());
    let given = accesses.filter_map(|access| match access.output? {
        (to, Output::Old(_) | Output::New(_)) => {
            Some((to, program.array(access.array).word.half_bits()))
        }
        (_, Output::Outcome) => None,
    });
    let in_header = |field: FieldId| matches!(program.field(field).home, Home::Header(_));
    for (field, bits) in
        given.filter(|(to, bits)| *bits < 32 && in_header(*to)).collect::<BTreeSet<_>>()
    {
        let place = if gress == Gress::Ingress { "ingress" } else { "egress" };
        text.line(format!("@pa_container_size(\"{place}\", \"{}\", {bits})", scope.read(field)));
    }
}

/// Returns the reasons for which the control plane may hear of a packet.
fn reasons(program: &Program) -> BTreeSet<u64> {
    let ops =
        program.ingress.iter().flat_map(|table| &table.actions).flat_map(|action| &action.ops);
    let reason = |op: &Op| match op {
        Op::Set { to, from: Operand::Const(reason) } if *to == Intrinsic::Report.field() => {
            Some(*reason)
        }
        _ => None,
    };
    ops.filter_map(reason).collect()
}

fn control(text: &mut Text, scope: &Scope<'_>, units: &Units) -> Result<(), EmitError> {
    registers::declare(text, scope, units);
    hash_units(text, scope, units);
    tables::tables(text, scope, units)?;
    tables::apply(text, scope, units);
    text.line("}");
    text.line("}");
    text.gap();
    Ok(())
}

fn ingress(text: &mut Text, scope: &Scope<'_>) -> Result<(), EmitError> {
    let program = scope.program;
    text.line("parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta, out ingress_intrinsic_metadata_t ig_intr_md) {");
    text.begin("start");
    text.line("state start {");
    text.line("packet.extract(ig_intr_md);");
    text.line("packet.advance(PORT_METADATA_SIZE);");
    text.line("transition begin;");
    text.line("}");
    text.end();
    parser::states(text, scope, StateId(0), "begin");
    text.line("}");
    text.gap();
    let units = Units::of(scope)?;
    text.append(&units.text);
    containers(text, scope);
    text.line(format!("control {INGRESS}(inout headers_t hdr, inout metadata_t meta, in ingress_intrinsic_metadata_t ig_intr_md, in ingress_intrinsic_metadata_from_parser_t ig_prsr_md, inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md, inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {{"));
    control(text, scope, &units)?;
    text.begin("ingress_deparser");
    text.line("control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta, in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {");
    let reasons = reasons(program);
    reasons.iter().for_each(|reason| text.line(format!("Digest<report_t>() report_{reason};")));
    text.line("apply {");
    let fields: Vec<_> = program.report.iter().map(|field| scope.read(*field)).collect();
    for reason in reasons {
        text.line(format!("if (ig_dprsr_md.digest_type == {reason}) {{"));
        text.line(format!("report_{reason}.pack({{ {} }});", fields.join(", ")));
        text.line("}");
    }
    program
        .headers
        .iter()
        .for_each(|header| text.line(format!("packet.emit(hdr.{});", header.name)));
    text.line("}");
    text.line("}");
    text.end();
    text.gap();
    Ok(())
}

fn egress(text: &mut Text, scope: &Scope<'_>, leaving: &[HeaderId]) -> Result<(), EmitError> {
    let program = scope.program;
    text.line("parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta, out egress_intrinsic_metadata_t eg_intr_md) {");
    text.begin("start");
    text.line("state start {");
    text.line("packet.extract(eg_intr_md);");
    text.line("transition begin;");
    text.line("}");
    text.end();
    parser::states(text, scope, program.egress_parser, "begin");
    text.line("}");
    text.gap();
    let units = Units::of(scope)?;
    text.append(&units.text);
    containers(text, scope);
    text.line(format!("control {EGRESS}(inout leaving_headers_t hdr, inout leaving_metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md, in egress_intrinsic_metadata_from_parser_t eg_prsr_md, inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md, inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {{"));
    control(text, scope, &units)?;
    text.begin("egress_deparser");
    text.line("control EgressDeparser(packet_out packet, inout leaving_headers_t hdr, in leaving_metadata_t meta, in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {");
    if program.checksum.is_some() {
        text.line("Checksum() internet;");
    }
    text.line("apply {");
    if let Some(checksum) = program.checksum {
        let header = program.header(checksum.over);
        let fields = header.fields.iter().filter(|field| **field != checksum.field);
        let fields: Vec<_> = fields.map(|field| scope.read(*field)).collect();
        text.line(format!(
            "if (hdr.{}.isValid() && hdr.{}.isValid()) {{",
            header.name,
            program.header(checksum.beside).name
        ));
        text.line(format!(
            "{} = internet.update({{ {} }});",
            scope.read(checksum.field),
            fields.join(", ")
        ));
        text.line("}");
    }
    leaving
        .iter()
        .for_each(|id| text.line(format!("packet.emit(hdr.{});", program.header(*id).name)));
    text.line("}");
    text.line("}");
    text.end();
    text.gap();
    Ok(())
}
