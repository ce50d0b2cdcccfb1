"""The pages, one blueprint per module that has a `blueprint`."""
