"""The command `lamella`."""
