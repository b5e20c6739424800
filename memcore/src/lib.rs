//! Long-term memory for AI agents: capture, store, recall and inject, offline, in Chinese and English.
