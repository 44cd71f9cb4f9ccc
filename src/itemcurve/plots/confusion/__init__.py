"""Pictures of confusion matrices and metrics."""
