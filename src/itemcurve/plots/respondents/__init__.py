"""Pictures of respondents."""
