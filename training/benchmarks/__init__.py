"""The field's benchmarks: what each task is, how it is predicted, and what was measured."""
