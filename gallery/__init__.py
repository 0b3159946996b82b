"""Pictures of all pages and states, to be looked at: ``make gallery``."""
