"""What an answer comes to, in words: its sentence, its key facts, and how its figures and numbers are called."""
