"""One module per game, each with one frozen ``GAME``; the modules do not know one another."""
