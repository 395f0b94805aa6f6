"""What a policy gets to see of the search, as structure first and as text second."""
