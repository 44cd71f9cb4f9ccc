"""Pools of estimators that answer as respondents."""
