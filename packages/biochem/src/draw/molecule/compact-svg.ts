/**
 * Writes RDKit's picture anew: only its paths, gathered by colour, and nothing else that an SVG could
 * hold. A third of the size, and safe to show by construction.
 */

export type PictureSize = { width: number; height: number }

type Shape = { paint: string; path: string }

const paths = /<path\s[^>]*?\bd='(?<path>[^']*)'(?<attributes>[^>]*)\/>/g

export function compactSvg(svg: string, { width, height }: PictureSize): string {
  const shapes = [...svg.matchAll(paths)].map((match) =>
    readShape(match.groups?.['path'] ?? '', match.groups?.['attributes'] ?? ''),
  )
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const body = [...gather(shapes)].map(([paint, path]) => `<path ${paint} d="${path}"/>`).join('')
  const joins = 'stroke-linecap="round" stroke-linejoin="round"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} fill="none" ${joins}>${body}</svg>`
}

function readShape(path: string, attributes: string): Shape {
  const fill = /fill[:=]'?(#[0-9A-F]{6})/.exec(attributes)?.[1]
  const stroke = /stroke:(#[0-9A-F]{6})/.exec(attributes)?.[1]
  const strokeWidth = /stroke-width:(\d+(?:\.\d+)?)px/.exec(attributes)?.[1]
  const parts = []
  if (fill) parts.push(`fill="${fill}"`)
  if (stroke && strokeWidth) parts.push(`stroke="${stroke}" stroke-width="${Number(strokeWidth)}"`)
  return { paint: parts.join(' '), path: shortenPath(path) }
}

/** `M 1.0,2.5 L 3.0,4.0` becomes `M1 2.5L3 4`; anything but numbers and path commands is dropped. */
function shortenPath(path: string): string {
  return path
    .replaceAll(/[^MLQCZ\d.\s-]/g, ' ')
    .replaceAll(/\.0(?!\d)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([MLQCZ]) ?/g, '$1')
    .trim()
}

/** In the order in which the paints first occur: lines come before the letters over them. */
function gather(shapes: Shape[]): Map<string, string> {
  const gathered = new Map<string, string>()
  for (const { paint, path } of shapes) gathered.set(paint, (gathered.get(paint) ?? '') + path)
  return gathered
}
