"""Task folders made from programs and tests: read, tried in the sandbox, thinned out, and kept by content."""
