"""The search: the max-reward theory (mdp), the tree, the one loop, the strategies, and what a policy gets to see."""
