"""Origin, unit and direction of ability: what is free, where it starts, how it is reported."""
