"""The site around the sheet: settings, addresses, and how it is served."""
