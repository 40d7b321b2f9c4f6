# Registers, multicast groups and table entries of fpisa_a, in this order, for
# bfshell -b FILE, with the program loaded.

pipe = bfrt.fpisa_a_1.pipe
pre = bfrt.pre

pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000001, port=0x1)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000002, port=0x2)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000003, port=0x3)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000004, port=0x4)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000005, port=0x5)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000006, port=0x6)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000007, port=0x7)
pipe.SwitchIngress.ports.add_with_ports_answer(src=0x20000000008, port=0x8)
bfrt.complete_operations()
