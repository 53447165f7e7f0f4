//! Small feeds of every kind, sound and broken.
