"""What pages answer: one module per family of pages."""
