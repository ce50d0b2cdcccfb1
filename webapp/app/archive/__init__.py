"""Thousands of photographs read into Parquet files, which other programs ask questions of."""
