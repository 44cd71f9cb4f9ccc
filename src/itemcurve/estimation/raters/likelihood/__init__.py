"""The marginal likelihood of ratings: nodes, posterior, derivatives, weak priors, tastes."""
