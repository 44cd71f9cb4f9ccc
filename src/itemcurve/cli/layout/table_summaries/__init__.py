"""What commands on tables print, one file each."""
