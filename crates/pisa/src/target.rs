//! The capabilities of a switch, as data (R-PISA-4).

/// A switch that programs are held to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Limits of each pass; `None` if only the language limits it.
    pub limits: Option<Limits>,
    /// True if an ALU shifts by a number that comes from a field or an entry (FPISA, section 4.2).
    pub shift_by_field: bool,
    /// True if a register can be shifted and added to in one access (FPISA, section 4.2).
    pub shift_and_add: bool,
    /// True if parser and deparser convert the byte order of a header's fields (FPISA, section
    /// 4.2).
    pub converts_byte_order: bool,
    /// Passes after which a packet is taken to go around for ever.
    pub max_passes: u32,
}

/// Limits of a switch whose pipeline is made of stages. Both sequences of stages, ingress and
/// egress, share the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Stages of a pipeline.
    pub stages: usize,
    /// SRAM blocks of a stage.
    pub sram_blocks: u32,
    /// Those among them that register arrays can be in.
    pub register_blocks: u32,
    /// Width of an SRAM block in bits.
    pub sram_block_width: u32,
    /// Rows of an SRAM block.
    pub sram_block_rows: u32,
    /// TCAM blocks of a stage.
    pub tcam_blocks: u32,
    /// Width of a TCAM block in bits.
    pub tcam_block_width: u32,
    /// Entries of a TCAM block.
    pub tcam_block_entries: u32,
    /// Stateful ALUs of a stage.
    pub stateful_alus: u32,
    /// Actions that one array can have: instructions of its stateful ALU.
    pub stateful_instructions: u32,
    /// Fields that a stateful ALU is given by all its instructions together.
    pub stateful_inputs: u32,
    /// VLIW instruction words of a stage, one for each action.
    pub vliw_slots: u32,
    /// Tables of a stage.
    pub tables: u32,
    /// Bytes that a stage's crossbar brings to exact matches, stateful ALUs and hash units.
    pub crossbar_bytes: u32,
    /// Bytes that it brings to ternary matches.
    pub ternary_crossbar_bytes: u32,
    /// Bits that the tests before one table look at.
    pub gateway_bits: u32,
    /// Bits that hash units bring to the actions of one table.
    pub hashed_bits: u32,
    /// Parts of 16 bits that hash units bring to all tables of a stage: a word's index is one.
    pub hash_parts: u32,
    /// Bits that the hash units of a stage bring altogether.
    pub hash_bits: u32,
    /// Buses of a stage that bring what matches have found to the actions.
    pub result_buses: u32,
    /// Bits of the packet header vector, all headers and metadata together.
    pub header_vector_bits: u32,
}

impl Target {
    /// A switch like Tofino: 12 stages, with the resources of each that its published descriptions
    /// and compilers give.
    pub const fn tofino() -> Self {
        Self {
            name: "tofino",
            limits: Some(Self::STAGES),
            shift_by_field: false,
            shift_and_add: false,
            converts_byte_order: false,
            max_passes: 32,
        }
    }

    const STAGES: Limits = Limits {
        stages: 12,
        sram_blocks: 80,
        register_blocks: 48,
        sram_block_width: 128,
        sram_block_rows: 1024,
        tcam_blocks: 24,
        tcam_block_width: 44,
        tcam_block_entries: 512,
        stateful_alus: 4,
        stateful_instructions: 4,
        stateful_inputs: 2,
        vliw_slots: 32,
        tables: 16,
        crossbar_bytes: 128,
        ternary_crossbar_bytes: 66,
        gateway_bits: 44,
        hashed_bits: 32,
        hash_parts: 6,
        hash_bits: 8 * 52,
        result_buses: 32,
        header_vector_bits: 4096,
    };

    /// The same with the extensions that FPISA proposes (section 4.2). Floats are taken apart and
    /// put together by hash units here, which the paper leaves open: there are twice as many.
    pub const fn fpisa_ext() -> Self {
        let limits = Limits { hash_parts: 2 * Self::STAGES.hash_parts, ..Self::STAGES };
        Self {
            name: "fpisa-ext",
            limits: Some(limits),
            shift_by_field: true,
            shift_and_add: true,
            converts_byte_order: true,
            ..Self::tofino()
        }
    }

    /// The software switch bmv2: what P4 says, without limits.
    pub const fn bmv2() -> Self {
        Self {
            name: "bmv2",
            limits: None,
            shift_by_field: true,
            shift_and_add: true,
            converts_byte_order: true,
            max_passes: 32,
        }
    }

    /// The target with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::tofino(), Self::fpisa_ext(), Self::bmv2()]
            .into_iter()
            .find(|target| target.name == name)
    }
}
