/** Offers content to the user as a file to save. */
export function saveFile(content: Blob, filename: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The browser needs a moment to take its own reference to the content.
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_AFTER_MS)
}

/** Without the characters that file systems refuse. */
export function fileNameOf(name: string): string {
  return name.replaceAll(/[\\/:*?"<>|]/g, '_')
}

const RELEASE_AFTER_MS = 60_000
