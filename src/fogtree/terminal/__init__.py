"""What commands share: output, options, progress bars, tables and a player at the keyboard."""
