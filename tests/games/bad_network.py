"""A table with four phones, a bad network before the product, and what must hold in the end.

The phones follow static/js; the product is asked through its views, and really commits.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from games import stream
from games.hub import Want
from games.models import Change, Entry, LateEntry, Match, Op, Round, Table
from tests.games.helpers import PhoneClient, cell_state, host_of, make_table, seated
from tests.games.together import assert_sound
from tests.history import Line, assert_nothing_replaced_unseen
from tests.outbox import Outbox, Record
from tests.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "Kofi"
COLUMNS = {"Lena": "A", "Kofi": "AB", "Felix": "A", "Nora": "B"}  # in the order of the seats
PATIENCE = 12  # rounds of sending until everything must have been answered


@dataclass
class Phone:
    """A phone in somebody's hand."""

    name: str
    client: PhoneClient
    outbox: Outbox
    sending: Letter | None = None  # the one request it waits for
    mail: list[str] = field(default_factory=list)  # answers to looks at the sheet, not read yet

    @property
    def shown(self) -> Shown:
        return self.outbox.shown


@dataclass(eq=False)
class Letter:
    """One attempt to send a number, and the answer once there is one."""

    phone: Phone
    record: Record
    fields: Mapping[str, str]
    status: int = 0
    html: str = ""

    def give_up(self) -> None:
        """Its phone does not wait for the answer any more."""
        if self.phone.sending is self:
            self.phone.sending = None


class Counts(NamedTuple):
    """What any write changes."""

    version: int
    changes: int
    ops: int


class BadNetwork:
    """A table, four phones, and the letters that are under way between them and the product."""

    game: ClassVar[str] = "bauernstoss"
    house: ClassVar[dict[str, Any]] = {}
    texts: ClassVar[tuple[str, ...]] = ("", "0", "1", "2")

    def __init__(self) -> None:
        super().__init__()
        self.table = make_table(self.game, self.house, holder=1)
        self.phones = {}
        for seat, name in enumerate(COLUMNS):
            client = host_of(self.table) if name == HOST else seated(self.table, seat)
            client.htmx = True
            self.phones[name] = Phone(name, client, Outbox(Shown()))
        for phone in self.phones.values():
            self.catch_up(phone)
        self.asked: list[Letter] = []  # requests in the network
        self.answered: list[Letter] = []  # answers in the network
        self.past: list[Letter] = []  # what arrived before and may arrive once more
        self.typed: dict[str, Record] = {}  # by op
        self.written: dict[str, Record] = {}  # by op: numbers that a phone knows to be written
        self.look()

    # How things stand -----------------------------------------------------------------------

    def look(self) -> None:
        """See how table and match stand, and which late numbers wait for the host."""
        self.match = Match.objects.select_related("table").get(table=self.table)
        self.table = self.match.table
        late = LateEntry.objects.filter(table=self.table, decision=LateEntry.Decision.OPEN)
        self.late = list(late.order_by("pk"))

    def ready(self) -> list[Phone]:
        """Phones that have something to send, and wait for no answer."""
        phones = self.phones.values()
        return [phone for phone in phones if phone.sending is None and phone.outbox.waiting]

    def behind(self) -> list[Phone]:
        """Phones that do not know everything yet."""
        phones = self.phones.values()
        return [phone for phone in phones if phone.shown.since < self.table.version]

    def unsettled(self) -> list[Phone]:
        """Phones with something to send or to learn."""
        phones = self.phones.values()
        return [phone for phone in phones if phone.outbox.records or phone in self.behind()]

    def refusals(self) -> list[tuple[Phone, Record]]:
        """The numbers about which somebody has to choose."""
        return [
            (phone, record) for phone in self.phones.values() for record in phone.outbox.refused
        ]

    # People ---------------------------------------------------------------------------------

    def note(self, record: Record) -> None:
        """Remember what was typed."""
        self.typed[record.op] = record

    def end(self, phone: Phone) -> None:
        phone.client.end()

    def take_back(self, phone: Phone) -> None:
        phone.client.post(".../reopen/")

    def decide(self, late: LateEntry, *, take: bool) -> None:
        do = "take" if take else "drop"
        self.phones[HOST].client.post(f"late/{late.pk}/", do=do)

    # The network ----------------------------------------------------------------------------

    def send(self, phone: Phone) -> Letter:
        record = phone.outbox.waiting[0]
        record.sent = True
        phone.sending = Letter(phone, replace(record), record.fields)
        self.asked.append(phone.sending)
        return phone.sending

    def deliver(self, letter: Letter) -> None:
        """Let a request reach the product, and look at what it does: all of it, or nothing."""
        record = letter.record
        number, column = record.place
        before = self.counts()
        is_new = not Op.objects.filter(table=self.table, op=record.op).exists()
        answer = letter.phone.client.post(f".../r/{number}/{column}/", letter.fields)
        letter.status, letter.html = answer.status_code, answer.content.decode()
        if not any(one.fields == letter.fields for one in self.past):
            self.past.append(letter)
        after = self.counts()
        if letter.status == 200 and is_new:
            assert after.ops == before.ops + 1
            assert not LateEntry.objects.filter(op=record.op, decision="open").exists()
            self.assert_stands(record)
        elif letter.status == 200:
            assert after == before
        else:
            assert letter.status in {409, 422}, letter.html
            assert after == before._replace(version=after.version)
            assert after.version == before.version or 'data-code="ended"' in letter.html

    def counts(self) -> Counts:
        version = Table.objects.values_list("version", flat=True).get(pk=self.table.pk)
        changes = Change.objects.filter(table=self.table).count()
        return Counts(version, changes, Op.objects.filter(table=self.table).count())

    def assert_stands(self, record: Record) -> None:
        """Right after it was accepted, a number stands as it was typed.

        A cell that was cleared is blank, unless the rules leave it only one number.
        """
        stands, state = cell_state(self.table, *record.place)
        if record.text or state != "implied":
            assert stands == (int(record.text) if record.text else None)

    def hear(self, letter: Letter) -> None:
        """Let an answer reach its phone."""
        phone = letter.phone
        if phone.sending is not letter:
            return
        phone.sending = None
        if letter.status == 200:
            self.written[letter.record.op] = letter.record
        record = next((r for r in phone.outbox.records if r.op == letter.record.op), None)
        if record is not None:
            phone.outbox.hear(record, letter.status, letter.html)

    # A phone with signal --------------------------------------------------------------------

    def look_at(self, phone: Phone, *, streams: bool = False) -> list[str]:
        """What changed for a phone: [] when nothing did."""
        since = phone.shown.since
        if streams:
            news = stream.draw(self.table.pk, {Want("en", since)})
            assert news is not None
            return list(news.parts.values())
        answer = phone.client.get(".../changes/", **({"since": since} if since else {}))
        return [] if answer.status_code == 204 else [answer.content.decode()]

    def catch_up(self, phone: Phone) -> None:
        for html in self.look_at(phone):
            phone.outbox.take(html)

    def load(self, phone: Phone) -> None:
        """A fresh page, with the outbox that the browser has kept."""
        phone.sending, phone.mail = None, []
        phone.outbox.shown = Shown()
        self.catch_up(phone)
        phone.outbox.look(is_loaded=True)

    def send_all(self, phone: Phone) -> None:
        """Send everything that waits, and hear the answers."""
        phone.sending = None
        while phone.outbox.waiting:
            letter = self.send(phone)
            self.asked.remove(letter)
            self.deliver(letter)
            self.hear(letter)

    # The end --------------------------------------------------------------------------------

    def calm_down(self) -> None:
        """The signal is back: what is in the network arrives, all is sent, answered and decided."""
        for letter in self.asked:
            self.deliver(letter)
        for letter in self.answered:
            self.hear(letter)
        for _ in range(PATIENCE):
            self.settle()
            if not self.unsettled():
                break
        assert not self.unsettled()
        for phone in self.phones.values():
            for html in phone.mail:  # all of it is old by now
                phone.outbox.take(html)

    def settle(self) -> None:
        """Everything is sent, what is refused is let go, late numbers are dropped.

        A page that never saw its late number offered learns what became of it when it is loaded.
        """
        for phone in self.phones.values():
            self.catch_up(phone)
            self.send_all(phone)
            for record in phone.outbox.refused:
                phone.outbox.forget(record)
            if phone.outbox.records and not self.late:
                self.load(phone)
        self.look()
        for late in self.late:
            self.decide(late, take=False)
        self.look()

    def check_all(self) -> None:
        """All agree, and every number is accounted for."""
        self.check_versions()
        self.check_what_phones_show()
        assert_sound(self.table)
        self.check_history()

    def check_versions(self) -> None:
        """Nothing is newer than the table."""
        newest = [
            Match.objects.filter(table=self.table).order_by("version").last(),
            Round.objects.filter(match=self.match).order_by("version").last(),
            Entry.objects.filter(round__match=self.match).order_by("version").last(),
        ]
        assert all(one is None or one.version <= self.table.version for one in newest)

    def check_what_phones_show(self) -> None:
        """Every phone shows what a fresh one would, and that is what the store holds."""
        fresh = Shown()
        fresh.take(self.phones[HOST].client.get(".../changes/").content.decode())
        sheet = self.phones[HOST].client.sheet()
        rows = [[cell.value for cell in row.cells.values()] for row in fresh.rows.values()]
        assert rows[: len(sheet["rounds"])] == [row["entries"] for row in sheet["rounds"]]
        assert list(fresh.totals.values()) == sheet["totals"]
        for phone in self.phones.values():
            assert phone.shown == replace(fresh, since=phone.shown.since), phone.name

    def check_history(self) -> None:
        """What was acknowledged was written once, and nobody's number was replaced unseen."""
        changes = Change.objects.filter(table=self.table).order_by("pk")
        lines = [
            Line(c.version, c.phone_id, (c.round_number, c.column), c.after, c.op, c.why)
            for c in changes
        ]
        for record in self.written.values():
            assert Op.objects.filter(table=self.table, op=record.op).count() == 1
            mine = [line for line in lines if line.op == record.op and line.why != "implied"]
            assert len(mine) <= 1  # none where the same number stood already
            for line in mine:
                assert (line.place, line.text) == (record.place, record.text)
        seen = {op: record.seen for op, record in self.typed.items()}
        assert_nothing_replaced_unseen(lines, seen)
