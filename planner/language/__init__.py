"""The language that texts are written in for people. Files for programs are always in English."""
