"""The field's benchmarks: tasks, predictors and results."""
