state first_first { packet.extract(hdr.reth); transition first_first_length; }
state first_middle { transition first_middle_length; }
state first_last { packet.extract(hdr.immediate); transition first_last_length; }
state first_only {
    packet.extract(hdr.reth); packet.extract(hdr.immediate); transition first_only_length;
}
