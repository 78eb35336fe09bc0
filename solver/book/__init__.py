"""The book: what ships of whole matches, bound from their states and read without them."""
