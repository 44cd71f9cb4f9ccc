"""Algorithm 1 of Chen et al. (2019): stochastic, coordinate-wise steps of Adam."""
