"""Synthetic photographs of boards: editions, tokens, scenes and the camera, all drawn at random.

Domain randomisation (Tobin et al., 2017): what varies more in training than in the world does not
surprise the reader on the table. Positions are drawn at random, rule breaks included, so that the
models learn colours and not the game.
"""
