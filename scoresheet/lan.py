"""The addresses under which phones in the same network reach this machine."""

import socket
import struct
from contextlib import suppress

from scoresheet.hosts import is_home_address

# Addresses nobody has. Connecting a UDP socket sends nothing; it only picks the way out.
SOMEWHERE_ELSE = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")
SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of an interface
NOT_FOR_PHONES = ("lo", "docker", "br-", "veth", "virbr", "tun", "wg")


def addresses() -> list[str]:
    """This machine's IPv4 addresses, private ones first, the most likely first; often just one."""
    found = [*_by_route(), *_by_interface()]
    others = [address for address in dict.fromkeys(found) if not address.startswith("127.")]
    return sorted(others, key=lambda address: not is_home_address(address))


def _by_route() -> list[str]:
    found = []
    for destination in SOMEWHERE_ELSE:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((destination, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _by_interface() -> list[str]:
    """What the interfaces say, where the system can be asked; a network without a way out too."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        return []
    found = []
    for _, name in socket.if_nameindex():
        if name.startswith(NOT_FOR_PHONES):
            continue
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            wanted = struct.pack("256s", name.encode()[:15])
            answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, wanted)
            found.append(socket.inet_ntoa(answer[20:24]))
    return found
