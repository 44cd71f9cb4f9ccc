"""What all studies share: how one is asked for, what it is made of, what it gives."""
