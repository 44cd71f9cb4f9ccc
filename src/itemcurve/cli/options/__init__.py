"""What several commands accept, looked at before the work begins."""
