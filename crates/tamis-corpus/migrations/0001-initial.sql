-- Version 1, for both databases. {identity} is replaced by the database's syntax of identity columns, and {clustered} by
-- its option to store rows in the primary key, if any. Times are milliseconds since 1970 (UTC).

CREATE TABLE story (
    id {identity},
    identity TEXT NOT NULL UNIQUE,      -- the canonical URL if it is trusted, else the URL: one story per identity
    url TEXT NOT NULL,                  -- URL of the current text
    canonical TEXT,                     -- the canonical URL that the page declares
    host TEXT NOT NULL,
    source TEXT,                        -- the outlet that the story was taken from
    site_name TEXT,
    title TEXT,
    published TEXT,                     -- ISO 8601, as precise as the page
    published_at BIGINT,                -- published in milliseconds, for filters
    modified TEXT,
    fetched BIGINT NOT NULL,            -- when the page was first fetched
    updated BIGINT NOT NULL,            -- when title or text last changed
    checked BIGINT NOT NULL,            -- when the page was last fetched or found unchanged
    authors TEXT NOT NULL DEFAULT '[]', -- JSON array
    language TEXT,
    page_type TEXT,
    confidence DOUBLE PRECISION,
    text TEXT NOT NULL,
    markdown TEXT NOT NULL,
    digest TEXT NOT NULL,               -- of title and text
    parts INTEGER NOT NULL DEFAULT 1,
    revisions INTEGER NOT NULL DEFAULT 0,
    robots TEXT,                        -- directives of page and server: noindex, noarchive, …
    near BYTEA,                         -- MinHash values
    group_id BIGINT,                    -- id of a story in its group of near-duplicates; NULL if it has none
    memory_pages INTEGER NOT NULL DEFAULT 0, -- pages in the site memory during extraction
    extractor TEXT NOT NULL             -- version of Tamis, with the settings that affect the text
);
-- Covers all columns that filters test, so that texts are not read.
CREATE INDEX story_filter ON story (published_at, fetched, language, host, source, site_name, page_type);
CREATE INDEX story_host ON story (host, id);
CREATE INDEX story_digest ON story (digest);
CREATE INDEX story_group ON story (group_id);

-- Earlier versions of a story; the current one is in story.
CREATE TABLE revision (
    story_id BIGINT NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,            -- 1 is the first version
    fetched BIGINT NOT NULL,            -- when this version was first seen
    title TEXT,
    text TEXT NOT NULL,
    markdown TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (story_id, number)
);

-- The pages of multi-page stories. Other stories have no rows here.
CREATE TABLE part (
    story_id BIGINT NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    url TEXT NOT NULL,
    text TEXT NOT NULL,
    markdown TEXT NOT NULL,
    PRIMARY KEY (story_id, number)
);

CREATE TABLE comment (
    story_id BIGINT NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,            -- in the order of first occurrence
    author TEXT,
    time TEXT,
    text TEXT NOT NULL,
    reply_to INTEGER,                   -- number of the comment it answers
    url TEXT NOT NULL,                  -- the page that contains it
    fetched BIGINT NOT NULL,
    digest TEXT NOT NULL,               -- of author and text
    PRIMARY KEY (story_id, number)
);
CREATE UNIQUE INDEX comment_digest ON comment (story_id, digest);

-- The fetched pages, for re-extraction. role: story, part, comments.
CREATE TABLE raw (
    url TEXT NOT NULL PRIMARY KEY,
    story_id BIGINT NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    part INTEGER NOT NULL DEFAULT 1,
    fetched BIGINT NOT NULL,
    content_type TEXT,
    body BYTEA NOT NULL                 -- gzip
);
CREATE INDEX raw_story ON raw (story_id);

-- Bands of MinHash values: stories that share one are candidates for near-duplicates.
CREATE TABLE band (
    hash BIGINT NOT NULL,
    story_id BIGINT NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    PRIMARY KEY (hash, story_id)
){clustered};
CREATE INDEX band_story ON band (story_id);

-- Site memory: the records of a sample of each site's pages.
CREATE TABLE site_page (
    site TEXT NOT NULL,
    key BIGINT NOT NULL,
    record BYTEA NOT NULL,
    PRIMARY KEY (site, key)
);

-- The collector.
CREATE TABLE seed (
    url TEXT NOT NULL PRIMARY KEY,
    added BIGINT NOT NULL
);

CREATE TABLE host (
    id {identity},
    name TEXT NOT NULL UNIQUE,          -- example.com, or example.com:8080
    next_request BIGINT NOT NULL DEFAULT 0,  -- no request before this time: delay, Retry-After, back-off
    delay BIGINT NOT NULL DEFAULT 0,    -- last pause between requests, in milliseconds
    failures INTEGER NOT NULL DEFAULT 0,     -- consecutive failed requests
    pages BIGINT NOT NULL DEFAULT 0,    -- pages fetched
    stories BIGINT NOT NULL DEFAULT 0,
    duplicates BIGINT NOT NULL DEFAULT 0,    -- stories whose text another host had before
    errors BIGINT NOT NULL DEFAULT 0,
    urls BIGINT NOT NULL DEFAULT 0,     -- known URLs
    note TEXT,                          -- why requests are suspended, such as Retry-After or an unreachable robots.txt
    closed TEXT,                        -- why the host was closed, such as a mirror of another host
    private INTEGER NOT NULL DEFAULT 0, -- 1 if its address is private, which requires --allow-private
    lease_owner TEXT,
    lease_until BIGINT
);

CREATE TABLE robots (
    origin TEXT NOT NULL PRIMARY KEY,   -- https://example.com
    fetched BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    status INTEGER NOT NULL,            -- 0 if there was no answer
    body BYTEA NOT NULL
);

CREATE TABLE url (
    id {identity},
    url TEXT NOT NULL UNIQUE,
    host_id BIGINT NOT NULL REFERENCES host (id),
    kind TEXT NOT NULL,                 -- seed, page, story (declared by feed or sitemap), feed, sitemap, part, comments
    priority INTEGER NOT NULL,          -- 0 feeds, sitemaps and seeds; 1 parts and comments; 2 pages; 3 revisits of stories
    due BIGINT,                         -- next visit; NULL for none
    depth INTEGER NOT NULL,
    redirects INTEGER NOT NULL DEFAULT 0,
    found_on BIGINT,                    -- url.id of the page that links to it; NULL for seeds
    found BIGINT NOT NULL,
    story_id BIGINT,
    part INTEGER,
    fetched BIGINT,                     -- last successful visit
    status INTEGER,
    outcome TEXT,                       -- of the last visit
    etag TEXT,
    last_modified TEXT,
    digest BIGINT,                      -- of the last body
    wait BIGINT,                        -- current revisit interval, in milliseconds
    failures INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX url_due ON url (host_id, priority, due);

CREATE TABLE visit (
    url_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    status INTEGER,                     -- NULL without a response
    outcome TEXT NOT NULL,
    PRIMARY KEY (url_id, at)
){clustered};

-- URL patterns of a host, to detect traps: a pattern is closed after many consecutive visits without new content.
CREATE TABLE pattern (
    host_id BIGINT NOT NULL REFERENCES host (id),
    pattern TEXT NOT NULL,
    fetched BIGINT NOT NULL DEFAULT 0,
    barren BIGINT NOT NULL DEFAULT 0,   -- consecutive visits without new content
    closed BIGINT,                      -- when it was closed
    PRIMARY KEY (host_id, pattern)
){clustered};
