"""Item response models, one per file: how ability and item parameters give a response."""
