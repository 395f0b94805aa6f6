"""The processes of a torch evaluation: started, confined and spoken to."""
