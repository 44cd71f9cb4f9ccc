"""What pictures share: style, names beside points, tables as input."""
