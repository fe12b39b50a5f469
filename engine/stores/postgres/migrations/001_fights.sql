-- A row for each command, so that a command is there wholly or not at all; the head of each fight, so that the
-- database itself refuses whoever appends behind another one; and the secret seeds apart, for the owner alone.

CREATE TABLE affray.heads (
    fight text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL CHECK (position > 0)
) WITH (fillfactor = 50); -- a head moves often: room for its next version on the same page

CREATE TABLE affray.commands (
    fight text COLLATE "C" NOT NULL REFERENCES affray.heads,
    last bigint NOT NULL CHECK (last > 0),
    lines bytea NOT NULL,
    PRIMARY KEY (fight, last)
);

CREATE TABLE affray.secrets (
    fight text COLLATE "C" PRIMARY KEY REFERENCES affray.heads,
    seed bytea NOT NULL
);
REVOKE ALL ON affray.secrets FROM PUBLIC;
