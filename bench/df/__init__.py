"""Document frequencies in a source, estimated from a sample: estimators and their errors."""
