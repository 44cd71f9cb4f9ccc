"""How results show themselves: cards in notebooks, bars while one waits, a log of what is done."""
