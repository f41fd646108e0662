/** Copies a picture given as a `data:` URL, so that it pastes into slides and drawing programs. */

/** Pixels of the copy per pixel of the picture: slides are larger than the page. */
const SCALE = 2

/** The browser takes the promise, because a copy must begin with the click. */
export function copyPng(address: Promise<string>): Promise<void> {
  const png = address.then(toPng)
  // Whoever copies is told; a browser without such a clipboard never looks at it.
  png.catch(() => undefined)
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
}

/** As a picture where the browser can, and as text. */
export async function copySvg(address: Promise<string>): Promise<void> {
  const svg = readSvg(await address)
  if (!('ClipboardItem' in window) || !ClipboardItem.supports('image/svg+xml')) {
    return navigator.clipboard.writeText(svg)
  }
  const [picture, text] = ['image/svg+xml', 'text/plain'].map((type) => new Blob([svg], { type }))
  if (picture === undefined || text === undefined) return undefined
  const item = new ClipboardItem({ 'image/svg+xml': picture, 'text/plain': text })
  return navigator.clipboard.write([item])
}

export function isSvg(address: string): boolean {
  return address.startsWith('data:image/svg+xml;base64,')
}

function readSvg(address: string): string {
  const bytes = Uint8Array.from(atob(address.split('base64,')[1] ?? ''), (sign) =>
    sign.charCodeAt(0),
  )
  return new TextDecoder().decode(bytes)
}

/** As a `data:` URL, for HTML. */
export async function toPngAddress(address: string): Promise<string> {
  return (await paint(address)).toDataURL('image/png')
}

async function toPng(address: string): Promise<Blob> {
  const canvas = await paint(address)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))))
  })
}

/** On white, as slides are. */
async function paint(address: string): Promise<HTMLCanvasElement> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * SCALE
  canvas.height = image.naturalHeight * SCALE
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('this browser draws no pictures')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}
