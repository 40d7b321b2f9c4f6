state start {
    transition select(ARRIVAL) { RECIRCULATED: parse_again; default: parse_ethernet; }
}
