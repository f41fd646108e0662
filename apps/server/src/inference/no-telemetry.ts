/**
 * Disables ONNX Runtime telemetry. Must be imported before onnxruntime in the main thread: threads inherit its
 * environment.
 */
process.env.ORT_DISABLE_TELEMETRY = '1'
