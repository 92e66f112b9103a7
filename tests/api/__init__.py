"""The API over HTTP, against a real Valkey."""
