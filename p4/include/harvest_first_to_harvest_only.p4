state harvest_first { packet.extract(hdr.reth); transition gathered; }
state harvest_middle { transition gathered; }
state harvest_last { packet.extract(hdr.immediate); transition gathered; }
state harvest_only {
    packet.extract(hdr.reth); packet.extract(hdr.immediate); transition gathered;
}
