"""Tables and phones for tests: a phone is a browser with its own cookie, and speaks HTTP."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.test import Client
from django.utils import timezone

from games import access, rules, services
from games.access import Visitor
from games.models import Change, Entry, LateEntry, Match, Member, Op, Phone, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import timedelta

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

    from games.models import Player, Side

NAMES = ("Lena", "Kofi", "Felix", "Nora")  # seats 0 to 3, clockwise
HOST_TOKEN = "host"  # noqa: S105 - a browser's name in these tests
WATCHER_TOKEN = "watcher"  # noqa: S105


def new_op() -> str:
    """The UUID of a new attempt."""
    return str(uuid.uuid4())


def make_table(
    game: str = "bauernstoss",
    house: Mapping[str, Any] | None = None,
    *,
    holder: int | None = None,
    **more: Any,
) -> Table:
    """A table whose host's browser holds ``HOST_TOKEN``; ``holder`` is the host's seat."""
    new = services.NewTable(
        game_slug=game,
        names=NAMES,
        first_dealer=more.pop("first_dealer", 0),
        holder=holder,
        house=rules.find_game(game).house_rules(house or {}),
        **more,
    )
    return services.start_table(token_hash=access.hash_of(HOST_TOKEN), new=new)


@dataclass
class PhoneClient:
    """One browser at a table. ``htmx=True`` sends what the page's script would send."""

    table: Table
    token: str = ""
    htmx: bool = False
    client: Client = field(default_factory=Client)

    def __post_init__(self) -> None:
        if self.token:
            self.client.cookies[access.COOKIE] = self.token

    @property
    def phone(self) -> Phone:
        """What the table keeps of this browser."""
        return Phone.objects.get(table=self.table, token_hash=access.hash_of(self.token))

    @property
    def visitor(self) -> Visitor:
        """This browser as the verbs see it."""
        return Visitor(Table.objects.get(pk=self.table.pk), self.phone)

    def url(self, path: str, match: int = 1) -> str:
        """An address under the table, or with ``.../`` in front under a match."""
        if path.startswith(".../"):
            return f"/t/{self.table.key}/m/{match}/{path[4:]}"
        return f"/t/{self.table.key}/{path}"

    def get(self, path: str, match: int = 1, **query: Any) -> Answer:
        return self.client.get(self.url(path, match), query, headers=self._headers())

    def post(
        self, path: str, data: Mapping[str, Any] | None = None, match: int = 1, **fields: Any
    ) -> Answer:
        """POST a form; ``data`` for names that are no Python words."""
        return self.client.post(
            self.url(path, match), {**(data or {}), **fields}, headers=self._headers()
        )

    def write(  # noqa: PLR0913 - the fields of the form
        self,
        number: int,
        column: str,
        value: str | int,
        *,
        op: str | None = None,
        base: int | None = None,
        match: int = 1,
        **more: Any,
    ) -> Answer:
        """Write a cell; the base is the version it has now if none is given."""
        fields = {
            "value": value,
            "op": op or new_op(),
            "base": cell_version(self.table, number, column, match) if base is None else base,
        }
        return self.post(f".../r/{number}/{column}/", fields, match=match, **more)

    def write_row(
        self,
        number: int,
        values: Mapping[str, str | int],
        *,
        op: str | None = None,
        base: int | None = None,
        match: int = 1,
        **more: Any,
    ) -> Answer:
        """Write a whole row; the base is the version it has now if none is given."""
        fields = {f"value_{column}": value for column, value in values.items()}
        fields["op"] = op or new_op()
        fields["base"] = row_version(self.table, number, match) if base is None else base
        return self.post(f".../r/{number}/", fields, match=match, **more)

    def move(self, number: int, do: str, *, match: int = 1, **more: Any) -> Answer:
        """Move a deal in the wrong place; the base is the version of the match now."""
        stored = Match.objects.get(table=self.table, number=match)
        fields = {"do": do, "op": new_op(), "base": stored.version, **more}
        return self.post(f".../r/{number}/deal/", fields, match=match)

    def take_back(self, version: int, *, match: int = 1, **more: Any) -> Answer:
        """Take a write back; the base is the version of the table now."""
        base = Table.objects.get(pk=self.table.pk).version
        fields = {"version": version, "op": new_op(), "base": base, **more}
        return self.post(".../undo/", fields, match=match)

    def sheet(self, match: int = 1) -> dict[str, Any]:
        """What sheet.json says."""
        answer = self.client.get(self.url(".../sheet.json", match))
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = json.loads(answer.content)
        return found

    def entries(self, match: int = 1) -> list[list[int | None]]:
        """The rows of the sheet, as numbers."""
        return [row["entries"] for row in self.sheet(match)["rounds"]]

    def end(self, match: int = 1) -> Answer:
        """End a match by tap, and be sure of it."""
        return self.post(".../end/", match=match, sure="1")

    def _headers(self) -> dict[str, str]:
        return {"HX-Request": "true"} if self.htmx else {}


def host_of(table: Table, **more: Any) -> PhoneClient:
    """The host's phone of a table of ``make_table``."""
    return PhoneClient(table, HOST_TOKEN, **more)


def seated(table: Table, seat: int, token: str = "", **more: Any) -> PhoneClient:
    """A phone that sits on a seat."""
    token = token or f"seat-{seat}"
    Phone.objects.create(
        table=table,
        token_hash=access.hash_of(token),
        player=table.players.get(seat=seat),
        seen_at=timezone.now(),
    )
    return PhoneClient(table, token, **more)


def watcher(table: Table, token: str = WATCHER_TOKEN, **more: Any) -> PhoneClient:
    """A phone that was let in and has no seat."""
    Phone.objects.create(
        table=table, token_hash=access.hash_of(token), player=None, seen_at=timezone.now()
    )
    return PhoneClient(table, token, **more)


def stranger(table: Table, **more: Any) -> PhoneClient:
    """A browser that has the link and nothing else."""
    return PhoneClient(table, **more)


def let_play(side: Side, players: Iterable[Player]) -> None:
    """Let these be the players of a side, in the order of their seats."""
    side.members.all().delete()
    for place, player in enumerate(players):
        Member.objects.create(side=side, player=player, place=place, name=player.name)


def fill(table: Table, rows: list[tuple[int | None, ...]], match: int = 1) -> None:
    """Let the host write rounds 1, 2, ... through the service; doubts are confirmed."""
    host = host_of(table)
    columns = table.game.columns
    for number, row in enumerate(rows, start=1):
        texts = {str(c): str(v) for c, v in zip(columns, row, strict=True) if v is not None}
        services.write_round(
            visitor=host.visitor,
            match=match_of(table, match),
            round_number=number,
            texts=texts,
            op=new_op(),
            base=row_version(table, number, match),
            sure=True,
        )


def match_of(table: Table, number: int = 1) -> Match:
    """A match of a table as it is stored now."""
    return Match.objects.select_related("table").get(table=table, number=number)


def cell_version(table: Table, number: int, column: str, match: int = 1) -> int:
    """What a page that is up to date carries for a cell in ``data-version``."""
    stored = Match.objects.filter(table=table, number=match).first()
    if stored is None:
        return 0
    entry = Entry.objects.filter(
        round__match=stored, round__number=number, side__column=column
    ).first()
    return entry.version if entry else stored.since(number)


def row_version(table: Table, number: int, match: int = 1) -> int:
    """What a page that is up to date carries for a round in ``data-version``."""
    stored = Match.objects.filter(table=table, number=match).first()
    if stored is None:
        return 0
    found = stored.rounds.filter(number=number).first()
    return found.version if found else stored.since(number)


def entry(table: Table, number: int, column: str, match: int = 1) -> Entry:
    """A cell as it is stored."""
    return Entry.objects.get(
        round__match__table=table,
        round__match__number=match,
        round__number=number,
        side__column=column,
    )


def cell_state(table: Table, number: int, column: str, match: int = 1) -> tuple[int | None, str]:
    """The number of a cell and who says so; blank equals never written."""
    found = Entry.objects.filter(
        round__match__table=table,
        round__match__number=match,
        round__number=number,
        side__column=column,
    ).first()
    if found is None or found.points is None:
        return None, "open"
    return found.points, "corrected" if found.corrected else found.state


def stored(table: Table) -> dict[str, Any]:
    """Everything of a table that a refusal has to leave as it was."""
    return {
        "version": Table.objects.get(pk=table.pk).version,
        "house": Table.objects.get(pk=table.pk).house,
        "matches": list(
            Match.objects.filter(table=table)
            .order_by("number")
            .values_list("number", "version", "ended_at", "how", "thrown_in", "first_chalk")
        ),
        "entries": list(
            Entry.objects.filter(round__match__table=table)
            .order_by("pk")
            .values_list("round__number", "side__column", "points", "state", "version")
        ),
        "changes": Change.objects.filter(table=table).count(),
        "ops": Op.objects.filter(table=table).count(),
        "late": list(
            LateEntry.objects.filter(table=table).order_by("pk").values_list("op", "decision")
        ),
    }


@dataclass
class RowOnPage:
    """A round as a page or a fragment draws it, with who gave the hands thrown in before it."""

    number: int
    attributes: str
    dashes: list[str]


def rows_on(answer: Answer) -> list[RowOnPage]:
    """The rounds that an answer draws."""
    rows: list[RowOnPage] = []
    dashes: list[str] = []
    for attributes, inside in re.findall(
        r"<tr ([^>]*data-(?:round|dash)[^>]*)>(.*?)</tr>", answer.content.decode(), re.DOTALL
    ):
        if "data-dash" in attributes:
            dashes += re.findall(r"thrown in, (.*) gave", inside)
        elif found := re.search(r'data-round="(\d+)"', attributes):
            rows.append(RowOnPage(int(found[1]), attributes, dashes))
            dashes = []
    return rows


def set_back_end(table: Table, ago: timedelta, match: int = 1) -> None:
    """Let a match have ended some time ago."""
    Match.objects.filter(table=table, number=match).update(ended_at=timezone.now() - ago)


def code_of(answer: Answer) -> str:
    """Why a verb was refused, as the view told its template; "" for an answer without one."""
    context = getattr(answer, "context", None)
    refusal = context.get("refusal") if context is not None else None
    return refusal.code if refusal is not None else ""
