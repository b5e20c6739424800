-- What a model answered where its answer is what failed (redacted).
ALTER TABLE jobs ADD COLUMN raw_reply TEXT;

-- Whose summary covers the session up to which message, and how many replies repeated an injected memory.
ALTER TABLE sessions ADD COLUMN summarized_until TEXT;
ALTER TABLE sessions ADD COLUMN echoes INTEGER NOT NULL DEFAULT 0;

-- Language-model calls, by the day (midnight UTC in microseconds) on which they were made.
CREATE TABLE usage (
    user INTEGER NOT NULL REFERENCES users,
    day INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (user, day, purpose, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage (day);

-- What waits in a session is counted at every turn, and its first job looked for at every lease.
DROP INDEX jobs_by_session;
CREATE INDEX jobs_by_session ON jobs (user, session, state, id);
