"""Polaris' boards photographed by a path tracer, to measure a reader on."""
