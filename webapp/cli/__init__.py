"""The command `stargazer`."""
