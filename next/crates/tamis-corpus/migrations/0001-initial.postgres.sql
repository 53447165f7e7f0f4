-- Segmented words of title and text. Positions of a tsvector end at 16,383, so long texts have several chunks.
CREATE TABLE story_search (
    story_id BIGINT NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    words TSVECTOR NOT NULL,
    PRIMARY KEY (story_id, chunk)
);
CREATE INDEX story_search_words ON story_search USING gin (words);

-- The corpus table of paper 000, figure 2.
CREATE VIEW news AS
SELECT url, coalesce(source, site_name, host) AS source, title, published AS news_time, text AS content,
    to_char(to_timestamp(updated / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS update_time
FROM story;
