"""The rules of every sheet as pages, and the search for a sheet by name."""
