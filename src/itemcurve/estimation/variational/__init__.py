"""Normal posteriors of abilities and items that come closest to the true one."""
