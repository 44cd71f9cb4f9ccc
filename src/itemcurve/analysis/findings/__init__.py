"""What a reader should know before trusting a result: codes and advice."""
