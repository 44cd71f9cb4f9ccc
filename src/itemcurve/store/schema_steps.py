"""The steps of the schema, in SQL that both databases understand. Published steps never change."""

# What is kept of everybody: whose it is, tokens, contents by SHA-256, sessions and their lines.
_FIRST = (
    "CREATE TABLE tenants (id TEXT PRIMARY KEY, created_at DOUBLE PRECISION NOT NULL)",
    """CREATE TABLE tokens (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL REFERENCES tenants (id),
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at DOUBLE PRECISION NOT NULL,
        expires_at DOUBLE PRECISION,
        revoked_at DOUBLE PRECISION
    )""",
    """CREATE TABLE contents (
        kind TEXT NOT NULL,
        mark TEXT NOT NULL,
        body BYTEA NOT NULL,
        created_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (kind, mark)
    )""",
    # A content is stored once; who may use it is said here.
    """CREATE TABLE holdings (
        tenant TEXT NOT NULL REFERENCES tenants (id),
        kind TEXT NOT NULL,
        mark TEXT NOT NULL,
        name TEXT NOT NULL,
        items BIGINT NOT NULL,
        created_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, kind, mark),
        FOREIGN KEY (kind, mark) REFERENCES contents (kind, mark)
    )""",
    """CREATE TABLE sessions (
        tenant TEXT NOT NULL REFERENCES tenants (id),
        id TEXT NOT NULL,
        line_count BIGINT NOT NULL,
        seal TEXT NOT NULL,
        respondent TEXT NOT NULL,
        mark TEXT NOT NULL,
        answers BIGINT NOT NULL,
        ability DOUBLE PRECISION,
        ability_se DOUBLE PRECISION,
        status TEXT NOT NULL,
        reason TEXT,
        lease_until DOUBLE PRECISION,
        created_at DOUBLE PRECISION NOT NULL,
        changed_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, id)
    )""",
    """CREATE TABLE session_lines (
        tenant TEXT NOT NULL,
        session TEXT NOT NULL,
        number BIGINT NOT NULL,
        body TEXT NOT NULL,
        request_key TEXT,
        request_digest TEXT,
        written_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, session, number)
    )""",
    """CREATE UNIQUE INDEX session_lines_keys ON session_lines (tenant, session, request_key)
        WHERE request_key IS NOT NULL""",
    "CREATE INDEX sessions_changed ON sessions (tenant, changed_at)",
)

# Files that were handed in, what is made of them, and the runs that come out.
_SECOND = (
    """CREATE TABLE uploads (
        tenant TEXT NOT NULL REFERENCES tenants (id),
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        size BIGINT NOT NULL,
        mark TEXT NOT NULL,
        created_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, id)
    )""",
    """CREATE TABLE jobs (
        tenant TEXT NOT NULL REFERENCES tenants (id),
        id TEXT NOT NULL,
        upload TEXT NOT NULL,
        settings TEXT NOT NULL,
        status TEXT NOT NULL,
        message TEXT NOT NULL,
        run TEXT,
        created_at DOUBLE PRECISION NOT NULL,
        changed_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, id)
    )""",
    """CREATE TABLE runs (
        tenant TEXT NOT NULL REFERENCES tenants (id),
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        job TEXT,
        created_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, id)
    )""",
)

# What people decided about items of a run; the latest counts, none is lost.
_THIRD = (
    """CREATE TABLE decisions (
        tenant TEXT NOT NULL REFERENCES tenants (id),
        run TEXT NOT NULL,
        number BIGINT NOT NULL,
        item TEXT NOT NULL,
        decision TEXT NOT NULL,
        note TEXT NOT NULL,
        decided_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tenant, run, number)
    )""",
    "CREATE INDEX jobs_changed ON jobs (tenant, changed_at)",
)

# Tests for the score beside those for ability: which it is, and the score where it is known (JSON).
_FOURTH = (
    "ALTER TABLE sessions ADD COLUMN question TEXT NOT NULL DEFAULT 'ability'",
    "ALTER TABLE sessions ADD COLUMN score TEXT",
)

STEPS = (_FIRST, _SECOND, _THIRD, _FOURTH)
