-- Version 1. Both databases run this file; {identity} stands for their way to number rows, and
-- {clustered} keeps the rows of a table in its primary key where the database can. Times are milliseconds since 1970 (UTC).

CREATE TABLE story (
    id {identity},
    identity TEXT NOT NULL UNIQUE,      -- the canonical URL where one is trusted, else the URL: one story per identity
    url TEXT NOT NULL,                  -- where the current text was fetched
    canonical TEXT,                     -- what the page calls its own address
    host TEXT NOT NULL,
    source TEXT,                        -- the outlet it was taken over from
    site_name TEXT,
    title TEXT,
    published TEXT,                     -- ISO 8601, as precise as the page
    published_at BIGINT,                -- the same as a time, for filters
    modified TEXT,
    fetched BIGINT NOT NULL,            -- first time
    updated BIGINT NOT NULL,            -- last time that title or text changed
    checked BIGINT NOT NULL,            -- last time that the page was fetched or found unchanged
    authors TEXT NOT NULL DEFAULT '[]', -- JSON array
    language TEXT,
    page_type TEXT,
    confidence DOUBLE PRECISION,
    text TEXT NOT NULL,
    markdown TEXT NOT NULL,
    digest TEXT NOT NULL,               -- of title and text
    parts INTEGER NOT NULL DEFAULT 1,
    revisions INTEGER NOT NULL DEFAULT 0,
    robots TEXT,                        -- noindex, noarchive … as page or server said
    near BYTEA,                         -- MinHash values
    group_id BIGINT,                    -- the first story of a group of near-duplicates; NULL without any
    memory_pages INTEGER NOT NULL DEFAULT 0, -- pages of the site that were known when it was extracted
    extractor TEXT NOT NULL             -- version of Tamis and digest of a custom model
);
-- All that filters look at, so that they need not read the texts.
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

-- Pages of a story that is split over several. Stories of one page have no rows here.
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
    number INTEGER NOT NULL,            -- in the order of first sight
    author TEXT,
    time TEXT,
    text TEXT NOT NULL,
    reply_to INTEGER,                   -- number of the comment it answers
    url TEXT NOT NULL,                  -- the page that it was read from
    fetched BIGINT NOT NULL,
    digest TEXT NOT NULL,               -- of author and text
    PRIMARY KEY (story_id, number)
);
CREATE UNIQUE INDEX comment_digest ON comment (story_id, digest);

-- The page as it was fetched, for reextraction. role: story, part, comments.
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
    next_request BIGINT NOT NULL DEFAULT 0,  -- no request before: delay, Retry-After, back-off
    delay BIGINT NOT NULL DEFAULT 0,    -- milliseconds between requests that were last in force
    failures INTEGER NOT NULL DEFAULT 0,     -- failed requests in a row
    pages BIGINT NOT NULL DEFAULT 0,    -- pages fetched
    stories BIGINT NOT NULL DEFAULT 0,
    duplicates BIGINT NOT NULL DEFAULT 0,    -- stories whose text another host had before
    errors BIGINT NOT NULL DEFAULT 0,
    urls BIGINT NOT NULL DEFAULT 0,     -- addresses known
    note TEXT,                          -- why requests are held back, such as Retry-After or an unreachable robots.txt
    closed TEXT,                        -- why nothing more is fetched, such as a mirror of another host
    private INTEGER NOT NULL DEFAULT 0, -- 1 if its address is private: needs --allow-private
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
    found_on BIGINT,                    -- url.id of the page that led here; NULL for seeds
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
    status INTEGER,                     -- NULL if no request was made
    outcome TEXT NOT NULL,
    PRIMARY KEY (url_id, at)
){clustered};

-- Address patterns of a host, to recognise traps: a pattern that is fetched often and leads to nothing new is closed.
CREATE TABLE pattern (
    host_id BIGINT NOT NULL REFERENCES host (id),
    pattern TEXT NOT NULL,
    fetched BIGINT NOT NULL DEFAULT 0,
    barren BIGINT NOT NULL DEFAULT 0,   -- visits in a row without anything new
    closed BIGINT,                      -- when it was closed
    PRIMARY KEY (host_id, pattern)
){clustered};
