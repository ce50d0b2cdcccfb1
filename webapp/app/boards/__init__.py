"""The boards that games are played on: known ones, drafts of new ones, and how they are drawn."""
