"""Where links from outside lead: a result to compare, an invite, a move to another device."""
