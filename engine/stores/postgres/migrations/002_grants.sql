-- Who may see and do what in which fight, by the hash of a token; the tokens themselves are kept nowhere.

CREATE TABLE affray.grants (
    token text COLLATE "C" PRIMARY KEY,
    fight text COLLATE "C" NOT NULL,
    viewer bytea NOT NULL
);
REVOKE ALL ON affray.grants FROM PUBLIC;
