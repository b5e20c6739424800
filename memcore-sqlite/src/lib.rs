//! Memories, vectors and text index of memcore in one SQLite file.
