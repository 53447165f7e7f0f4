-- Segmented words of title and text; rowid is story.id. The texts themselves stay in story. Words are folded already, and
-- to the tokenizer "ascii" every character beyond ASCII belongs to a word; the tables of unicode61 end at Unicode 6.1.
-- The index of prefixes answers short ones without a merge of all the words that begin so.
CREATE VIRTUAL TABLE story_search USING fts5 (
    title, text, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);

-- The corpus table of paper 000, figure 2.
CREATE VIEW news AS
SELECT url, coalesce(source, site_name, host) AS source, title, published AS news_time, text AS content,
    strftime('%Y-%m-%dT%H:%M:%SZ', updated / 1000, 'unixepoch') AS update_time
FROM story;
