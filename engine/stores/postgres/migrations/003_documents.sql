-- Encounters, parties, pictures and what was set for a fight: each row is one document, written wholly or not at all.

CREATE TABLE affray.documents (
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    media text NOT NULL,
    version text NOT NULL,
    changed text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (kind, name)
);
REVOKE ALL ON affray.documents FROM PUBLIC;
