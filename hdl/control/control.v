// The collective control unit: it keeps tables of communicators, and tells for each packet what it contributes to its collective (R-CGRA-24; ACiS, figure 1).
module control (
    input             clk,
    // Entries of the tables: the size of a communicator, which ends its collective, or the port of a rank.
    input             set_size,
    input             set_port,
    input      [3:0]  set_communicator,
    input      [3:0]  set_rank,
    input      [4:0]  set_value,
    // A packet: fields that the parser has found.
    input             valid,
    input      [3:0]  communicator,
    input      [1:0]  collective,
    input      [3:0]  rank,
    input      [3:0]  root,
    // The answer to it, a cycle later.
    output reg        accepted,
    output reg        begins,
    output reg        completes,
    output reg [7:0]  ports
);
    localparam [1:0] ALL_REDUCE = 2'd0, REDUCE = 2'd1, BROADCAST = 2'd2;

    reg  [4:0]  sizes  [0:15];
    reg  [47:0] places [0:15];
    // Ranks that have contributed, and the collective and the root of the first of them.
    reg  [15:0] seen   [0:15];
    reg  [5:0]  called [0:15];

    wire [4:0]  size = sizes[communicator];
    wire [47:0] place = places[communicator];
    wire [15:0] before = seen[communicator];
    wire [15:0] members = ~(16'hFFFF << size);
    wire [15:0] contributor = 16'd1 << rank;
    wire [15:0] now = before | contributor;

    wire        empty = ~|before;
    wire        known = |(members & contributor) & |(members & 16'd1 << root);
    wire        folds = collective == ALL_REDUCE | collective == REDUCE;
    wire        agrees = empty | called[communicator] == {collective, root};
    wire        contributes = folds & agrees & ~|(before & contributor);
    wire        sends = collective == BROADCAST & empty & rank == root;
    wire        takes = valid & known & (contributes | sends);
    wire        whole = sends | now == members;

    reg  [7:0]  receivers;
    reg         receives;
    integer     r;
    always @* begin
        receivers = 8'd0;
        for (r = 0; r < 16; r = r + 1) begin
            receives = collective == REDUCE ? root == r[3:0] : collective == ALL_REDUCE | root != r[3:0];
            if (members[r] & receives) receivers = receivers | 8'd1 << place[3*r+:3];
        end
    end

    always @(posedge clk) begin
        accepted <= takes;
        begins <= takes & empty;
        completes <= takes & whole;
        ports <= takes & whole ? receivers : 8'd0;
        if (takes & folds) begin
            seen[communicator] <= whole ? 16'd0 : now;
            called[communicator] <= {collective, root};
        end
        if (set_size) begin
            sizes[set_communicator] <= set_value;
            seen[set_communicator] <= 16'd0;
        end
        if (set_port) places[set_communicator][3*set_rank+:3] <= set_value[2:0];
    end
endmodule
