"""A live page over the journal: runs, their trees and programs, leaderboards and training curves."""
