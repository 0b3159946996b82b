"""The score sheet: rules, storage, verbs, pages."""
