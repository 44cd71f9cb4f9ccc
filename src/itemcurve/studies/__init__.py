"""The papers as runnable studies: tables, pictures and claims with verdicts."""
