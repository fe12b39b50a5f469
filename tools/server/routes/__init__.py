"""The routes, by what one wants: fights, a look, a change, something to pass on, the page."""
