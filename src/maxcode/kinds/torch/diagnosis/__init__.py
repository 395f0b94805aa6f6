"""What profiles and failures of a torch candidate mean."""
