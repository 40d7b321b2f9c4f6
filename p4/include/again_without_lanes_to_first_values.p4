state again_without_lanes { transition accept; }
state first_exponents { meta.order = 1; transition first_way; }
state first_classes { meta.order = 2; transition first_way; }
state first_values { meta.order = 3; transition first_way; }
