"""The trainings of the study on robustness in small pieces, side by side where there are cores."""
