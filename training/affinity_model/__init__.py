"""The affinity model: reads the exporter's features, trains, evaluates and exports to ONNX."""
