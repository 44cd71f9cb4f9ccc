"""Item response models: how ability and item parameters give natural parameters."""
