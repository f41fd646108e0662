/** A backup or restore that failed; the message is for the person at the console. */
export class BackupError extends Error {
  override name = 'BackupError'
}
