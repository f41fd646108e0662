/**
 * ONNX Runtime reports to its maker what it runs, and keeps an identifier of the machine, unless told not to
 * before it is loaded. A chemist's models and machine are nobody's business: imported first wherever it, or a
 * thread that loads it, begins. Only the main thread's environment is the process's own.
 */
process.env.ORT_DISABLE_TELEMETRY = '1'
