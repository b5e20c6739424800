-- Schema version 1.
--
-- Numbers: a user has a small number; a record's number is (user's number << 32) + n, and so is a vector's. So all
-- rows of a user lie side by side in the file, and a range of numbers never holds a row of anybody else.
-- Times are microseconds since 1970-01-01 UTC. Ids of 16 bytes are UUIDs. Enumerations are stored by name.

CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL
) STRICT;

CREATE TABLE projects (
    number INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users,
    name TEXT NOT NULL,
    UNIQUE (user, name)
) STRICT;

-- A session without `started_at` is only a name that records, jobs or rejections refer to.
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users,
    name TEXT NOT NULL,
    project INTEGER,
    started_at INTEGER,
    ended_at INTEGER,
    summary TEXT,
    UNIQUE (user, name)
) STRICT;

-- Embedding models. `dimensions` is set by the first vectors or the description; `description` is JSON.
CREATE TABLE identities (
    number INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    dimensions INTEGER,
    description TEXT
) STRICT;

-- Only batches that made versions of records.
CREATE TABLE batches (
    number INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users,
    id BLOB NOT NULL,
    generation INTEGER NOT NULL,
    UNIQUE (user, id)
) STRICT;

-- The current version of each record. What searches filter by comes before what may be long.
CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES users,
    project INTEGER,
    session INTEGER,
    status INTEGER NOT NULL,
    kind TEXT NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_until INTEGER,
    terms INTEGER NOT NULL,
    embedding INTEGER REFERENCES identities,
    chunks INTEGER NOT NULL,
    importance INTEGER NOT NULL,
    confidence REAL NOT NULL,
    trust TEXT NOT NULL,
    language TEXT NOT NULL,
    pinned INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_accessed_at INTEGER,
    access_count INTEGER NOT NULL,
    evidence_count INTEGER NOT NULL,
    superseded_by BLOB,
    version INTEGER NOT NULL,
    reason TEXT NOT NULL,
    batch INTEGER NOT NULL REFERENCES batches,
    change INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    slot TEXT,
    tags TEXT,
    conflicts_with TEXT,
    provenance TEXT NOT NULL,
    content TEXT NOT NULL
) STRICT;
CREATE INDEX records_by_id ON records (user, id);
CREATE INDEX records_by_importance ON records (user, importance, id);
CREATE INDEX records_by_terms ON records (user, terms);
CREATE INDEX records_by_slot ON records (user, slot) WHERE slot IS NOT NULL;
CREATE INDEX records_by_batch ON records (batch);
CREATE INDEX records_by_embedding ON records (embedding, id);
CREATE INDEX records_superseded ON records (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX records_in_conflict ON records (user) WHERE conflicts_with IS NOT NULL;

-- Earlier versions only. `body` is the whole record as JSON.
CREATE TABLE versions (
    number INTEGER PRIMARY KEY,
    record INTEGER NOT NULL REFERENCES records,
    version INTEGER NOT NULL,
    reason TEXT NOT NULL,
    batch INTEGER NOT NULL REFERENCES batches,
    change INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (record, version)
) STRICT;
CREATE INDEX versions_by_batch ON versions (batch);

-- `vector` is 32-bit floats, little-endian, of unit length.
CREATE TABLE vectors (
    number INTEGER PRIMARY KEY,
    record INTEGER NOT NULL REFERENCES records,
    identity INTEGER NOT NULL REFERENCES identities,
    chunk INTEGER NOT NULL,
    vector BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_by_record ON vectors (record, identity, chunk);

-- The index terms of each record, joined by spaces, as they were segmented when it was stored.
CREATE TABLE word_lists (
    number INTEGER PRIMARY KEY REFERENCES records,
    words TEXT NOT NULL
) STRICT;

-- The same terms behind their user's number, so that posting lists and frequencies are per user.
CREATE VIEW user_words AS
SELECT number,
       CASE words WHEN '' THEN '' ELSE (number >> 32) || ':' || replace(words, ' ', ' ' || (number >> 32) || ':') END
           AS terms
FROM word_lists;

-- Every printable ASCII character belongs to a token, so tokens end at white space only.
CREATE VIRTUAL TABLE words USING fts5 (
    terms,
    content = 'user_words',
    content_rowid = 'number',
    columnsize = 0,
    tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);

-- Where each term stands: looked up by the term itself, so that no text is ever query syntax.
CREATE VIRTUAL TABLE word_places USING fts5vocab (words, instance);

CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions,
    id TEXT NOT NULL,
    project INTEGER,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (session, id)
) STRICT;
CREATE INDEX messages_by_session ON messages (session);

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES users,
    project INTEGER,
    session INTEGER,
    kind TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    leased_until INTEGER,
    last_error TEXT
) STRICT;
CREATE INDEX jobs_by_session ON jobs (user, session);

CREATE TABLE rejections (
    number INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users,
    session INTEGER,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    message TEXT,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX rejections_by_user ON rejections (user);

-- Erasures whose bytes may still be in the file. No text, no ids: only that there is work left.
CREATE TABLE purges (
    number INTEGER PRIMARY KEY
) STRICT;
