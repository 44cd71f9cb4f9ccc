"""What requests and answers of the service look like."""
