/** What a page looks like, as its elements say: its edges, and text that is broken or cut. They run in the browser. */

/** What the header says, and between which edges the page below it is drawn. */
export function readFrame(): string {
  const main = document.querySelector('main')
  const isCut = (element: Element): boolean =>
    element !== main &&
    (getComputedStyle(element).overflowX !== 'visible' ||
      (element.parentElement !== null && isCut(element.parentElement)))
  const isDrawn = (element: Element) => {
    const { backgroundColor, boxShadow } = getComputedStyle(element)
    const hasText = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && (nodeValue ?? '').trim() !== '',
    )
    return hasText || backgroundColor !== 'rgba(0, 0, 0, 0)' || boxShadow !== 'none'
  }
  const boxes = [...(main?.querySelectorAll('*') ?? [])]
    .filter((element) => element.checkVisibility() && isDrawn(element))
    // What scrolls sideways is as wide as its scroller.
    .filter(({ parentElement }) => parentElement !== null && !isCut(parentElement))
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 1 && height > 1)
  const left = Math.round(Math.min(...boxes.map((box) => box.left)))
  const right = Math.round(Math.max(...boxes.map((box) => box.right)))
  const header = document.querySelector('header')?.innerText.replaceAll(/\s+/g, ' ')
  return `${left} to ${right}, ${header}`
}

/** Words and numbers over two lines, names that end in dots, and placeholders that are cut. */
export function readBroken(): string[] {
  const isSeen = (element: Element | null) =>
    element !== null && element.checkVisibility() && element.closest('.visually-hidden') === null
  const find = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen)

  const linesOf = (node: Node, from: number, to: number) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
    return new Set(boxes.map(({ top }) => Math.round(top))).size
  }
  // The hash of a model may break.
  const word = /(?<![+\p{L}\d,.])[\p{L}\d,.]+/gu
  const broken = find('main *:not(.mono, textarea, svg *)')
    .flatMap(({ childNodes }) => [...childNodes])
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .flatMap((node) =>
      [...(node.nodeValue ?? '').matchAll(word)]
        .filter(({ index, 0: text }) => linesOf(node, index, index + text.length) > 1)
        .map(([text]) => text),
    )

  const cut = find('main [role=option] > span')
    .filter((name) => name.scrollHeight > name.clientHeight + 1)
    .map((name) => name.textContent)

  const brush = document.createElement('canvas').getContext('2d')
  const placeholders = find('main input').flatMap((input) => {
    if (!(input instanceof HTMLInputElement) || brush === null) return []
    const { paddingLeft, paddingRight } = getComputedStyle(input)
    brush.font = getComputedStyle(input, '::placeholder').font
    const room =
      input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    return brush.measureText(input.placeholder).width > room ? [input.placeholder] : []
  })
  return [...broken, ...cut, ...placeholders]
}
