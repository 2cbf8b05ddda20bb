"""Document frequencies in a source, estimated from a sample's: the estimators, and their errors."""
