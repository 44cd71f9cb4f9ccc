"""Runs, banks, sessions, answers and tokens in a database: SQLite, or PostgreSQL by its URL."""
