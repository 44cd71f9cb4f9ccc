"""Moraes, Reinaldo, Prudêncio and Silva Filho: Γ-IRT for regression."""
