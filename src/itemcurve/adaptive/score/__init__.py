"""Tests that ask what a respondent would score on all items."""
