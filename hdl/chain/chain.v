// Three SIMD processing units in a pipeline, one lane of them, behind AXI-stream: operands come in, the loop runs, results go out (R-CGRA-23; ACiS, figure 2).
module chain (
    input             clk,
    // Configuration: a word of an element's instruction memory in each cycle. It ends what is under way.
    input             load,
    input      [3:0]  load_element,
    input      [5:0]  load_slot,
    input      [307:0] load_word,
    // The loop: its interval, rounds, instances, and cycles; words of the first buffer.
    input      [6:0]  interval,
    input      [15:0] rounds,
    input      [15:0] instances,
    input      [15:0] cycles,
    input      [5:0]  first_words,
    // Operands: the first buffer, then the second.
    input             s_tvalid,
    output            s_tready,
    input      [31:0] s_tdata,
    input             s_tlast,
    // The first buffer behind the loop; `m_tuser` says that an operation has trapped.
    output            m_tvalid,
    input             m_tready,
    output     [31:0] m_tdata,
    output            m_tlast,
    output            m_tuser
);
    localparam ELEMENTS = 12, COLUMNS = 2, IN_SPU = 4;
    localparam [1:0] FILL = 2'd0, RUN = 2'd1, DRAIN = 2'd2;

    reg  [1:0]  state;
    reg  [6:0]  slot;
    reg  [15:0] number, cycle;
    reg  [5:0]  place;
    reg         second, trapped;
    wire        runs = state == RUN;
    wire [15:0] rounds_now = runs ? rounds : 16'd0;

    assign s_tready = state == FILL;
    assign m_tvalid = state == DRAIN;
    assign m_tlast = m_tvalid & place + 6'd1 == first_words;
    assign m_tuser = m_tvalid & trapped;

    // ---- The elements. Values go down from one unit to the next, and not back.

    // verilator lint_off UNUSED
    wire [32*ELEMENTS-1:0] to_north, to_east, to_south, to_west;
    wire [ELEMENTS-1:0]    writes, traps;
    wire [32*ELEMENTS-1:0] addresses, stored;
    wire [2*ELEMENTS-1:0]  regions;
    // verilator lint_on UNUSED
    wire [4*ELEMENTS-1:0]  sizes;
    reg  [32*ELEMENTS-1:0] loaded;
    genvar e;
    generate
        for (e = 0; e < ELEMENTS; e = e + 1) begin : elements
            wire [31:0] north, east, south, west;
            if (e >= COLUMNS) assign north = to_south[32*(e-COLUMNS)+31:32*(e-COLUMNS)];
            else assign north = 32'd0;
            if (e % COLUMNS != COLUMNS - 1) assign east = to_west[32*(e+1)+31:32*(e+1)];
            else assign east = 32'd0;
            if (e % IN_SPU < IN_SPU - COLUMNS) assign south = to_north[32*(e+COLUMNS)+31:32*(e+COLUMNS)];
            else assign south = 32'd0;
            if (e % COLUMNS != 0) assign west = to_east[32*(e-1)+31:32*(e-1)];
            else assign west = 32'd0;

            reg  [307:0] words [0:63];
            wire [307:0] word = words[slot[5:0]];
            // verilator lint_off WIDTH
            always @(posedge clk) if (load & load_element == e) words[load_slot] <= load_word;
            // verilator lint_on WIDTH

            // verilator lint_off UNUSED
            wire [31:0] a, b, c, result;
            wire        valid, first;
            // verilator lint_on UNUSED
            element #(.FLOATS(1)) unit (
                .clk(clk), .word(word), .number(number), .rounds(rounds_now),
                .north(north), .east(east), .south(south), .west(west), .loaded(loaded[32*e+31:32*e]),
                .to_north(to_north[32*e+31:32*e]), .to_east(to_east[32*e+31:32*e]),
                .to_south(to_south[32*e+31:32*e]), .to_west(to_west[32*e+31:32*e]),
                .result(result), .a(a), .b(b), .c(c), .valid(valid), .first(first));
            assign stored[32*e+31:32*e] = a;
            assign regions[2*e+1:2*e] = word[167:166];
            assign sizes[4*e+3:4*e] = word[171:168];
            if (e % COLUMNS == 0) begin : memory
                port unit (
                    .clk(clk), .op(word[6:0]), .offset(word[203:172]), .outer(word[235:204]), .inner(word[267:236]),
                    .a(a), .b(b), .c(c), .valid(valid), .first(first), .slot(slot[5:0]), .instances(instances),
                    .address(addresses[32*e+31:32*e]), .writes(writes[e]), .traps(traps[e]));
            end else begin : none
                assign addresses[32*e+31:32*e] = 32'd0;
                assign writes[e] = 1'b0;
                assign traps[e] = 1'b0;
            end
        end
    endgenerate

    // ---- The buffers: 128 bytes of the first pointer, then those of the second.

    reg  [7:0] bytes [0:255];
    // verilator lint_off WIDTH
    // verilator lint_off BLKSEQ
    assign m_tdata = m_tvalid ? {bytes[4*place+3], bytes[4*place+2], bytes[4*place+1], bytes[4*place]} : 32'd0;

    integer p, k;
    reg [31:0] at;
    reg        outside;
    always @(posedge clk) begin
        outside = 1'b0;
        for (p = 0; p < ELEMENTS; p = p + 1) begin
            // A load sees what was stored in earlier cycles.
            for (k = 0; k < 4; k = k + 1) begin
                at = addresses[32*p+:32] + k;
                loaded[32*p+8*k+:8] <= k < sizes[4*p+:4] & at < 128 ? bytes[{regions[2*p], at[6:0]}] : 8'd0;
            end
        end
        if (runs)
            for (p = 0; p < ELEMENTS; p = p + 1)
                for (k = 0; k < 4; k = k + 1) begin
                    at = addresses[32*p+:32] + k;
                    if (writes[p] & k < sizes[4*p+:4]) begin
                        if (at < 128) bytes[{regions[2*p], at[6:0]}] <= stored[32*p+8*k+:8];
                        else outside = 1'b1;
                    end
                end
        if (s_tready & s_tvalid)
            for (k = 0; k < 4; k = k + 1) bytes[{second, place[4:0], k[1:0]}] <= s_tdata[8*k+:8];
        if (runs) trapped <= trapped | outside | |traps;
        else if (state == FILL) trapped <= 1'b0;
    end
    // verilator lint_on BLKSEQ
    // verilator lint_on WIDTH

    // ---- The sequencer (R-CGRA-17). Configuration ends whatever was there before.

    always @(posedge clk) begin
        if (load) begin
            state <= FILL;
            place <= 6'd0;
            second <= 1'b0;
        end else case (state)
            FILL: if (s_tvalid) begin
                if (s_tlast) begin
                    state <= RUN;
                    {slot, number, cycle} <= 39'd0;
                    place <= 6'd0;
                    second <= 1'b0;
                end else if (~second & place + 6'd1 == first_words) begin
                    place <= 6'd0;
                    second <= 1'b1;
                end else place <= place + 6'd1;
            end
            RUN: begin
                cycle <= cycle + 16'd1;
                slot <= slot + 7'd1 == interval ? 7'd0 : slot + 7'd1;
                if (slot + 7'd1 == interval) number <= number + 16'd1;
                if (cycle + 16'd1 == cycles) state <= DRAIN;
            end
            DRAIN: if (m_tready) begin
                place <= m_tlast ? 6'd0 : place + 6'd1;
                if (m_tlast) state <= FILL;
            end
            default: state <= FILL;
        endcase
    end
endmodule
