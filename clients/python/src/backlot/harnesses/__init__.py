"""Adapters for harnesses and agent libraries. Each module needs its library, which this package does not install."""
