"""The pages and the HTTP API: a Flask application on top of `webapp.app`."""
