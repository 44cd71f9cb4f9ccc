"""Estimators trained and asked, fold by fold, resumable."""
