"""What was judged: votes, who met whom, and how votes are read."""
