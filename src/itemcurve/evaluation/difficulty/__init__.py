"""How hard rows are, and how models bear noise on easy and hard ones."""
