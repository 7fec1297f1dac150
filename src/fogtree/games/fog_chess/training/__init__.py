"""Training of the networks that value positions: data by self-play, fitting with JAX, matches."""
