"""What the service answers: the members of API.md as structs, free of any language.

One module a kind of thing; names of sheets and boxes are looked up in the web floor.
"""
