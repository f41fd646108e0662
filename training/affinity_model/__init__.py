"""One Gaussian model over pairs of a target and a compound; see README.md beside this package."""
