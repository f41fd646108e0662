/** What the page offers to save: jsdom saves nothing. */
import { vi } from 'vitest'

export type Saved = { filename: string; content: Blob }

/** Fills up as files are saved, until the end of the test. */
export function catchSaved(): Saved[] {
  const saved: Saved[] = []
  let content = new Blob()
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => ((content = blob), 'blob:1'),
    revokeObjectURL: () => undefined,
  })
  // React's links react to events; only a download calls the method.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ filename: this.download, content })
  })
  return saved
}
