"""The boards that games are played on, drafts of new ones, and drawing them."""
