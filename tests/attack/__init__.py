"""An attack on the whole program: seeded fuzzers that `make test` runs for a minute and
`make attack` for as long as you like; see :mod:`tests.attack.run`."""
