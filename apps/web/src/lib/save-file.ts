/** Hands content to the browser as a file to save. */
export function saveFile(content: Blob, filename: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The browser takes its own hold of the content; it needs a moment for it.
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_AFTER_MS)
}

const RELEASE_AFTER_MS = 60_000
