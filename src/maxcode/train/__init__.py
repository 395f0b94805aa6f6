"""Training: the reward-to-go model, and the policy itself. What is below needs `pip install 'maxcode[train]'`."""
