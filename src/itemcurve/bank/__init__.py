"""Banks of calibrated items, and the abilities of respondents measured against them."""
