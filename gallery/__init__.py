"""Pictures of the pages and their states, to be looked at: ``make gallery``."""
