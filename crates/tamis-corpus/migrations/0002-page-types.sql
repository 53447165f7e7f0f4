-- Questions with their answers are threads; pages of pictures or of several bodies have no type of their own any more.
UPDATE story SET page_type = 'forum' WHERE page_type = 'q&a';
UPDATE story SET page_type = 'other' WHERE page_type IN ('multi-body', 'pictures');
