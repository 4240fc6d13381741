"""What commands share: options, output, streams, signals and shell completion."""
