/** A backup, or what comes of one, that cannot be made; the message is for whoever asked for it at the console. */
export class BackupError extends Error {
  override name = 'BackupError'
}
