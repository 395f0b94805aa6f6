"""Static rules over the text of a torch candidate."""
