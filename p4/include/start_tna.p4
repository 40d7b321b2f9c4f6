state start {
    packet.extract(ig_intr_md); packet.advance(PORT_METADATA_SIZE); transition begin;
}
