"""Reports on searches and runs, and how they are written."""
