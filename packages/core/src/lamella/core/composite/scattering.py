"""No operator of this family is made of others."""
