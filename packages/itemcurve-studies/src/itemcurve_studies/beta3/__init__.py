"""Chen, Silva Filho, Prudêncio, Diethe and Flach (2019): β³ for students and classifiers."""
