"""Tests of what stands in deploy/."""
