//! Programs for bmv2's simple_switch.

use netfold_num::ByteOrder;

use super::expr::{Scope, number, safe};
use super::units::Units;
use super::{
    Arch, EGRESS, EmitError, INGRESS, Part, Text, head, names, parser, registers, tables, types,
};
use crate::program::{Gress, HeaderId, Home, Program, StateId};

/// The parts of a program.
pub(super) fn parts(program: &Program) -> Result<Vec<Part>, EmitError> {
    if program.pipelines() > 1 {
        return Err(EmitError::Pipelines {
            program: program.name.clone(),
            pipelines: program.pipelines(),
        });
    }
    let scope = |gress| Scope { program, arch: Arch::V1Model, gress, in_unit: false };
    let mut text = Text::default();
    head(&mut text, program, "bmv2 (v1model)");
    text.line("#include <core.p4>");
    text.line("#define V1MODEL_VERSION 20200408");
    text.line("#include <v1model.p4>");
    names::define(&mut text, Arch::V1Model);
    text.gap();
    types(&mut text, program, Arch::V1Model);
    text.begin("headers");
    text.line("struct headers_t {");
    program.headers.iter().for_each(|header| text.line(format!("{0}_h {0};", header.name)));
    text.line("}");
    text.end();
    text.begin("metadata");
    text.line("struct metadata_t {");
    text.line("// The parser takes the packet for none that the program knows.");
    text.line("bit<1> refused;");
    for field in program.fields.iter().filter(|field| field.home == Home::Metadata) {
        text.line(format!("bit<{}> {};", field.bits, safe(&field.name)));
    }
    text.line("}");
    text.end();
    text.gap();
    text.line("parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {");
    parser::states(&mut text, &scope(Gress::Ingress), StateId(0), "start");
    parser::refused(&mut text);
    text.line("}");
    text.gap();
    text.line("control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {");
    text.line("apply { }");
    text.line("}");
    for (gress, name) in [(Gress::Ingress, INGRESS), (Gress::Egress, EGRESS)] {
        let units = Units::of(&scope(gress))?;
        text.append(&units.text);
        text.line(format!(
            "control {name}(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {{"
        ));
        let scope = scope(gress);
        registers::declare(&mut text, &scope, &units);
        tables::tables(&mut text, &scope, &units)?;
        tables::apply(&mut text, &scope, &units);
        if gress == Gress::Egress {
            turn_back(&mut text, &scope);
        }
        if gress == Gress::Egress && !program.loopbacks.is_empty() {
            text.line("// What leaves by a port that is looped back comes in again.");
            let ports: Vec<_> =
                program.loopbacks.iter().map(|port| number((*port).into())).collect();
            text.line(format!(
                "if (standard_metadata.egress_port == 9w{}) {{",
                ports.join(" || standard_metadata.egress_port == 9w")
            ));
            text.line("recirculate_preserving_field_list(0);");
            text.line("}");
        }
        text.line("}");
        text.line("}");
        text.gap();
    }
    text.begin("checksum");
    text.line("control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) {");
    text.line("apply {");
    if let Some(checksum) = program.checksum {
        let header = program.header(checksum.over);
        let fields = header.fields.iter().filter(|field| **field != checksum.field);
        let fields: Vec<_> = fields.map(|field| scope(Gress::Egress).read(*field)).collect();
        let beside = &program.header(checksum.beside).name;
        let into = scope(Gress::Egress).read(checksum.field);
        text.line(format!(
            "update_checksum(hdr.{}.isValid() && hdr.{beside}.isValid(), {{ {} }}, {into}, HashAlgorithm.csum16);",
            header.name,
            fields.join(", ")
        ));
    }
    text.line("}");
    text.line("}");
    text.end();
    text.begin("deparser");
    text.line("control SwitchDeparser(packet_out packet, in headers_t hdr) {");
    text.line("apply {");
    program
        .headers
        .iter()
        .for_each(|header| text.line(format!("packet.emit(hdr.{});", header.name)));
    text.line("}");
    text.line("}");
    text.end();
    text.gap();
    text.line(format!("V1Switch(SwitchParser(), SwitchVerifyChecksum(), {INGRESS}(), {EGRESS}(), SwitchComputeChecksum(), SwitchDeparser()) main;"));
    Ok(text.finish())
}

/// Turns the fields of little-endian headers around, as they travel: the deparser emits, and does
/// nothing else.
fn turn_back(text: &mut Text, scope: &Scope<'_>) {
    let headers = (0..).map(HeaderId).zip(&scope.program.headers);
    for (id, header) in headers.filter(|(_, header)| header.byte_order == ByteOrder::Little) {
        text.line(format!("if (hdr.{}.isValid()) {{", header.name));
        parser::turn(text, scope, id);
        text.line("}");
    }
}
