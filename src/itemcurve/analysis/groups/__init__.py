"""Whether items mean the same for all groups of respondents."""
