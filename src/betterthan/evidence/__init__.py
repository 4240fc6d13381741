"""What people bring: judgments, rankings, scores; read once, checked, every row accounted for."""
