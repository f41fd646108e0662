/** A name that breaks, where it must, before its digits or after a sign, not within a word. */
import { Fragment } from 'react'

export function BreakableName({ name }: { name: string }) {
  return partsOf(name).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** `CHEMBL3414740`: `CHEMBL`, `3414740`. */
export function partsOf(name: string): string[] {
  return name.split(/(?<=\p{L})(?=\d{2})|(?<=[-_/.,;:@])(?=.)/u)
}
