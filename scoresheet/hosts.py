"""Which host names an embedded sheet answers to: this machine's, and any address at home."""

import ipaddress
import socket

HOME_NETWORKS = [
    ipaddress.ip_network(network)
    for network in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
        "169.254.0.0/16",  # link local
        "100.64.0.0/10",  # addresses of overlay networks, as between two flats
        "::1/128", "fc00::/7", "fe80::/10",
    )
]  # fmt: skip
DOMAINS_AT_HOME = ("local", "lan", "home.arpa", "fritz.box")
NEVER_PUBLIC = (*DOMAINS_AT_HOME, "localhost", "internal", "test")


class AnyHomeAddress(str):
    """An entry of ``ALLOWED_HOSTS`` that equals every address of a private network.

    Django compares each entry with the host a request names. A list of the addresses of this
    moment would not do: a laptop gets another one when it moves to the pub's network while the
    sheet is running. Names stay listed one by one, for the check exists against foreign *names*
    that point here (DNS rebinding); an address typed as such cannot be forged that way.
    """

    __slots__ = ()

    def __new__(cls) -> "AnyHomeAddress":
        """The entry, which prints as what it is."""
        return super().__new__(cls, "any address of a private network")

    def lower(self) -> "AnyHomeAddress":
        """Itself: Django lowers each entry before it compares."""
        return self

    def __eq__(self, host: object) -> bool:
        if isinstance(host, AnyHomeAddress):
            return True
        return isinstance(host, str) and is_home_address(host.removeprefix("[").removesuffix("]"))

    def __hash__(self) -> int:
        return hash(AnyHomeAddress)


def is_home_address(text: str) -> bool:
    """Whether this is an address (not a name) of a network that is never routed outside."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in HOME_NETWORKS)


def is_at_home(host: str) -> bool:
    """Whether an entry of ``ALLOWED_HOSTS`` is no name or address that others far away can use."""
    if isinstance(host, AnyHomeAddress):
        return True
    name = host.lower().strip("[]").removeprefix(".").removesuffix(".")
    try:
        return not ipaddress.ip_address(name).is_global
    except ValueError:
        is_ours = name in names_of_this_machine() or ("." not in name and name != "*")
        return is_ours or name.endswith(tuple(f".{domain}" for domain in NEVER_PUBLIC))


def names_of_this_machine() -> list[str]:
    """``localhost`` and what the machine calls itself, alone and in the usual domains at home.

    Asks no name server: without a network that would hold up the start for seconds.
    """
    full_name = socket.gethostname().lower()
    name = full_name.partition(".")[0]
    names = ["localhost", full_name, name, *(f"{name}.{domain}" for domain in DOMAINS_AT_HOME)]
    return [name for name in dict.fromkeys(names) if name and not name.startswith(".")]
