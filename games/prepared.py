"""What every number and every page asks of the store, without putting it together anew each time.

Django makes the SQL of a query whenever it is asked, which takes several times as long as the
answer. For the few statements on the way of a number that is most of its cost, so they are made
once: questions from a queryset, one row to write from its model. All others are Django's own.
"""

from __future__ import annotations

from functools import cache
from threading import local
from typing import TYPE_CHECKING, Any

from django.db import connection, connections
from django.db.models import Expression, JSONField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Field, Model, QuerySet
    from django.db.models.sql.compiler import SQLCompiler

    Column = Field[Any, Any]


PLAIN = (int, str, type(None))  # bool is another type: not every store has it


class Given(Expression):
    """A value that is named when the question is asked."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(
        self,
        compiler: SQLCompiler,  # noqa: ARG002 - what every expression is given
        connection: BaseDatabaseWrapper,  # noqa: ARG002
    ) -> tuple[str, Any]:
        """A place for the value; ``Prepared.ask`` puts it there."""
        return "%s", (self,)


class Prepared:
    """A ``values_list`` whose conditions hold ``Given`` values; ``ask`` gets its rows.

    The values are numbers and texts that the store can hold: they go to it as they are.
    """

    def __init__(self, queryset: QuerySet[Any, Any]) -> None:
        self._queryset = queryset
        self._here = local()  # what is put together belongs to a connection, and that to a thread

    def ask(self, **given: object) -> list[tuple[Any, ...]]:
        """The rows, as the queryset itself would give them for these values."""
        if not hasattr(self._here, "compiler"):
            self._put_together()
        here = self._here
        values = [given[p.name] if isinstance(p, Given) else p for p in here.params]
        with here.compiler.connection.cursor() as cursor:
            cursor.execute(here.sql, values)
            rows = cursor.fetchall()
        return [tuple(row) for row in here.compiler.apply_converters(rows, here.converters)]

    def _put_together(self) -> None:
        here = self._here
        compiler = self._queryset.query.get_compiler(connection=connections[self._queryset.db])
        here.sql, here.params = compiler.as_sql()
        here.converters = compiler.get_converters([selected[0] for selected in compiler.select])
        here.compiler = compiler


@cache
def columns_of(model: type[Model], path: str = "") -> list[str]:
    """The names of everything a model stores, for ``values_list``; ``path`` leads to it."""
    return [path + field.attname for field in _fields(model)]


def stored(model: type[Model], values: Sequence[Any]) -> Any:
    """A row of a model, from the values of its columns in their order."""
    return model.from_db("default", columns_of(model), values)


class Insertion:
    """One row for a model’s table; one that has its ``unique`` fields gets new ``renew`` ones."""

    def __init__(
        self, model: type[Model], *, unique: Sequence[str] = (), renew: Sequence[str] = ()
    ) -> None:
        key, *self._fields = _fields(model)
        places = ", ".join("%s" for _ in self._fields)
        sql = f"INSERT INTO {_table(model)} ({_names(self._fields)}) VALUES ({places})"  # noqa: S608
        if unique:
            new = ", ".join(f"{_name(one)} = EXCLUDED.{_name(one)}" for one in _named(model, renew))
            sql += f" ON CONFLICT ({_names(_named(model, unique))}) DO UPDATE SET {new}"
        self._plain = sql
        self._sql = f"{sql} RETURNING {_name(key)}"

    def write(self, **values: object) -> int:
        """Write it, with a value for every column; its key."""
        with connection.cursor() as cursor:
            cursor.execute(self._sql, _prepared(self._fields, values))
            ((key,),) = cursor.fetchall()
            return int(key)

    def write_all(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Write many in one go, with a value for every column; several times as fast as Django."""
        with connection.cursor() as cursor:
            cursor.executemany(self._plain, [_prepared(self._fields, row) for row in rows])


def update(row: Model, *names: str) -> None:
    """Write these fields of a row that is there."""
    model = type(row)
    fields = [*_named(model, names), _fields(model)[0]]
    values = {field.attname: getattr(row, field.attname) for field in fields}
    with connection.cursor() as cursor:
        cursor.execute(_update_sql(model, names), _prepared(fields, values))


@cache
def _update_sql(model: type[Model], names: Sequence[str]) -> str:
    new = ", ".join(f"{_name(one)} = %s" for one in _named(model, names))
    return f"UPDATE {_table(model)} SET {new} WHERE {_name(_fields(model)[0])} = %s"  # noqa: S608


def _table(model: type[Model]) -> str:
    return model._meta.db_table  # noqa: SLF001 - Django's way to ask a model


@cache
def _fields(model: type[Model]) -> list[Column]:
    """What a model stores, its key first."""
    return list(model._meta.concrete_fields)  # noqa: SLF001


def _named(model: type[Model], names: Sequence[str]) -> list[Column]:
    by_name = {field.name: field for field in _fields(model)}
    return [by_name[name] for name in names]


def _name(field: Column) -> str:
    return f'"{field.column}"'


def _names(fields: Sequence[Column]) -> str:
    return ", ".join(map(_name, fields))


def _prepared(fields: Sequence[Column], values: Mapping[str, object]) -> list[Any]:
    return [_as_stored(field, values[field.attname]) for field in fields]


def _as_stored(field: Column, value: object) -> Any:
    """A value as its column takes it; what is plain enough for any column is not asked about."""
    if type(value) in PLAIN and not isinstance(field, JSONField):
        return value
    return field.get_db_prep_save(value, connection)
