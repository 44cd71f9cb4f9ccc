"""Section 4 of the paper: answers of students, β³ against 2PL-ND."""
