/** Where the focus goes when a row of a list is removed by a button of its own: it must not be lost. */

/** The same button of the next row, or of the one before; the heading of the section after the last row. */
export function focusNeighbour(button: HTMLElement): void {
  const row = button.closest('li')
  const place =
    row === null ? -1 : [...row.querySelectorAll('button')].findIndex((one) => one === button)
  const other = row?.nextElementSibling ?? row?.previousElementSibling
  const next = other?.querySelectorAll('button')[place]
  if (next === undefined) focusHeading(button)
  else next.focus()
}

/** The heading of the section that a button is in. */
export function focusHeading(button: HTMLElement): void {
  const heading = button.closest('section')?.querySelector('h2')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
}
