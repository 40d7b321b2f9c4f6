//! Programs for Tofino: TNA, which Tofino 2 takes as T2NA by another include.

use std::collections::BTreeSet;

use super::expr::{Scope, hash_name, is_hashed, safe};
use super::{Arch, EmitError, Text, head, parser, registers, tables, types};
use crate::check::{extracted, reads, writes};
use crate::program::{FieldId, Gress, HeaderId, Home, Op, Program, StateId};

/// The program for Tofino 1 and 2.
///
/// # Errors
/// [`EmitError::Operation`] if it shifts by a field.
pub fn tna(program: &Program) -> Result<String, EmitError> {
    let scope = |gress| Scope { program, arch: Arch::Tna, gress };
    let mut text = Text::default();
    head(&mut text, program, "Tofino (TNA)");
    text.line("#include <core.p4>");
    text.line("#if __TARGET_TOFINO__ == 2");
    text.line("#include <t2na.p4>");
    text.line("#else");
    text.line("#include <tna.p4>");
    text.line("#endif");
    text.gap();
    types(&mut text, program);
    registers::pair_types(&mut text);
    let leaving = extracted(program, program.egress_parser);
    let all: Vec<HeaderId> = (0..program.headers.len()).map(HeaderId).collect();
    for (name, headers) in [("headers_t", &all), ("leaving_headers_t", &leaving)] {
        text.line(format!("struct {name} {{"));
        headers.iter().for_each(|id| text.line(format!("{0}_h {0};", program.header(*id).name)));
        text.line("}");
        text.gap();
    }
    for (gress, name) in [(Gress::Ingress, "metadata_t"), (Gress::Egress, "leaving_metadata_t")] {
        text.line(format!("struct {name} {{"));
        for field in metadata(program, gress) {
            let field = program.field(field);
            text.line(format!("bit<{}> {};", field.bits, safe(&field.name)));
        }
        text.line("}");
        text.gap();
    }
    ingress(&mut text, &scope(Gress::Ingress))?;
    egress(&mut text, &scope(Gress::Egress), &leaving)?;
    text.line(
        "Pipeline(IngressParser(), Ingress(), IngressDeparser(), EgressParser(), Egress(), EgressDeparser()) pipe;",
    );
    text.gap();
    text.line("// Fields that no stage has written are 0, as in the description that this comes from.");
    text.line("@pa_auto_init_metadata");
    text.line("Switch(pipe) main;");
    Ok(text.finish())
}

/// Metadata that one sequence of stages, and its parser, use.
fn metadata(program: &Program, gress: Gress) -> BTreeSet<FieldId> {
    let tables = program.tables(gress).iter();
    let used = tables.flat_map(|table| reads(table).into_iter().chain(writes(table)));
    let set = program.parser.iter().flat_map(|state| state.sets.iter().map(|(field, _)| *field));
    let parsed: Vec<_> =
        if gress == Gress::Ingress { set.chain(program.report.iter().copied()).collect() } else { Vec::new() };
    used.chain(parsed).filter(|field| program.field(*field).home == Home::Metadata).collect()
}

/// Hash units that a sequence of stages uses.
fn hashes(text: &mut Text, scope: &Scope<'_>) {
    let tables = scope.program.tables(scope.gress).iter();
    for op in tables.flat_map(|table| &table.actions).flat_map(|action| &action.ops) {
        let algorithm = match op {
            Op::Concat { from, .. } if is_hashed(from) => "IDENTITY",
            Op::Crc32 { .. } => "CRC32",
            _ => continue,
        };
        let bits = scope.program.field(op.writes()).bits;
        let name = hash_name(scope.program, op.writes());
        text.line(format!("Hash<bit<{bits}>>(HashAlgorithm_t.{algorithm}) {name};"));
    }
}

fn control(text: &mut Text, scope: &Scope<'_>) -> Result<(), EmitError> {
    registers::declare(text, scope);
    hashes(text, scope);
    tables::tables(text, scope)?;
    tables::apply(text, scope);
    text.line("}");
    text.line("}");
    text.gap();
    Ok(())
}

fn ingress(text: &mut Text, scope: &Scope<'_>) -> Result<(), EmitError> {
    let program = scope.program;
    text.line("parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta, out ingress_intrinsic_metadata_t ig_intr_md) {");
    text.line("state start {");
    text.line("packet.extract(ig_intr_md);");
    text.line("packet.advance(PORT_METADATA_SIZE);");
    text.line("transition begin;");
    text.line("}");
    text.gap();
    parser::states(text, scope, StateId(0), "begin");
    text.line("}");
    text.gap();
    text.line("control Ingress(inout headers_t hdr, inout metadata_t meta, in ingress_intrinsic_metadata_t ig_intr_md, in ingress_intrinsic_metadata_from_parser_t ig_prsr_md, inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md, inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {");
    control(text, scope)?;
    text.line("control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta, in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {");
    if !program.report.is_empty() {
        text.line("Digest<report_t>() report;");
    }
    text.line("apply {");
    if !program.report.is_empty() {
        let fields: Vec<_> = program.report.iter().map(|field| scope.read(*field)).collect();
        text.line("if (ig_dprsr_md.digest_type == 1) {");
        text.line(format!("report.pack({{ {} }});", fields.join(", ")));
        text.line("}");
    }
    program.headers.iter().for_each(|header| text.line(format!("packet.emit(hdr.{});", header.name)));
    text.line("}");
    text.line("}");
    text.gap();
    Ok(())
}

fn egress(text: &mut Text, scope: &Scope<'_>, leaving: &[HeaderId]) -> Result<(), EmitError> {
    let program = scope.program;
    text.line("parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta, out egress_intrinsic_metadata_t eg_intr_md) {");
    text.line("state start {");
    text.line("packet.extract(eg_intr_md);");
    text.line("transition begin;");
    text.line("}");
    text.gap();
    parser::states(text, scope, program.egress_parser, "begin");
    text.line("}");
    text.gap();
    text.line("control Egress(inout leaving_headers_t hdr, inout leaving_metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md, in egress_intrinsic_metadata_from_parser_t eg_prsr_md, inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md, inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {");
    control(text, scope)?;
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
        text.line(format!("{} = internet.update({{ {} }});", scope.read(checksum.field), fields.join(", ")));
        text.line("}");
    }
    leaving.iter().for_each(|id| text.line(format!("packet.emit(hdr.{});", program.header(*id).name)));
    text.line("}");
    text.line("}");
    text.gap();
    Ok(())
}
