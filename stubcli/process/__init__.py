"""A command run for its output: started, listened to, ended. Knows no store and no stub."""
