"""Looking after a store: copies of it, the way back to one, and whether all is well."""
