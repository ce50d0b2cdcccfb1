"""Who gets in: Waitress with TLS, connection limits, invitations and certificates."""
