"""Real processes in directories of their own: serve, its children, its store."""
