"""Access to the server: Waitress with TLS, connection limits, invitations and certificates."""
