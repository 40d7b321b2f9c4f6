state start {
    transition select(ARRIVAL) { RECIRCULATED: parse_bridge; default: parse_ethernet; }
}
