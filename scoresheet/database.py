"""How this site is connected to PostgreSQL."""

from typing import Any

# What the verbs count on, whatever the server's own settings are.
SESSION = {
    "default_transaction_isolation": r"read\ committed",  # what is locked is read as it is then
    "lock_timeout": "5s",  # as long as a writer waits on SQLite
    "idle_in_transaction_session_timeout": "60s",  # a machine that is gone holds no lock for long
}
CONNECTION = {"connect_timeout": 5, "tcp_user_timeout": 10_000}  # seconds, milliseconds
STATEMENT_AT_MOST = "20s"  # of a page or a stream; migrations may take long


def options(said: dict[str, Any]) -> dict[str, Any]:
    """How connections are made; what ``DATABASE_URL`` says about that itself wins."""
    session = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
    return {**CONNECTION, **said, "options": f"{session} {said.get('options', '')}".strip()}


def limit_statements(*, connection: Any, **_signal: Any) -> None:
    """Let no statement of a new connection take long, so that no thread is held by one."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, false)", [STATEMENT_AT_MOST])
