//! The program memcore: a long-term memory for AI agents on the command line.
