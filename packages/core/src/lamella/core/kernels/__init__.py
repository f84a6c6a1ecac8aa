"""Array functions behind the operators, written over an array module `xp`."""
