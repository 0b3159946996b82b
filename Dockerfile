# One image for a table at home and for many machines (docs/self-hosting.md):
#
#     docker build -t scoresheet .
#     docker run -p 8000:8000 -v scoresheet:/data scoresheet

# The Python and the Debian that the tests run on. Build again now and then (docker build --pull),
# so that their corrections come along.
FROM python:3.11-slim-bookworm AS build

WORKDIR /app
COPY requirements.txt ./
# Wheels only, so no compiler; pip stays outside the environment, so it stays behind.
RUN python -m venv --without-pip .venv
RUN pip --python .venv/bin/python install --no-cache-dir --disable-pip-version-check --only-binary :all: -r requirements.txt
COPY LICENSE ./
COPY THIRD-PARTY-NOTICES.md ./
COPY manage.py ./
COPY locale locale
COPY templates templates
COPY static static
COPY scoresheet scoresheet
COPY games games
RUN .venv/bin/python -m scoresheet.messages
RUN DATA_DIR=/tmp/data STATIC_ROOT=/app/collected .venv/bin/python manage.py collectstatic --noinput --verbosity 0
RUN .venv/bin/python -m compileall -q games scoresheet

FROM python:3.11-slim-bookworm

RUN pip uninstall --yes --quiet --root-user-action ignore pip setuptools wheel \
    && install --directory --owner 10001 --mode 0700 /data
WORKDIR /app
COPY --from=build /app /app
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    STATIC_ROOT=/app/collected \
    PORT=8000
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8000/healthz', timeout=4)"]
# The first process of a container does not hear SIGTERM unless it asks for it; so a stop that comes
# while the store is brought up to date lets that finish, and nothing is begun after it.
CMD ["sh", "-c", "trap 'exit 143' INT TERM; python manage.py migrate --verbosity 0 && exec python -m scoresheet.serve"]
