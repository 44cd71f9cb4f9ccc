"""The usual metrics of predictions, for all respondents at once."""
