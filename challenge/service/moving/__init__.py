"""Moving a service: all it holds as lines of JSON, and back."""
