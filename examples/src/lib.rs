//! Runnable examples of memcore.
