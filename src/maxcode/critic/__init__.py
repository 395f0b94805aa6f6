"""Critics: raw feedback in, a diagnosis out."""
