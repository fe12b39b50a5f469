"""HTTP routes: fights, queries, commands, encounters, parties, pictures, exports, forecasts, and the page."""
