"""Bulk reading: thousands of photographs into Parquet files, for analysis by other programs."""
