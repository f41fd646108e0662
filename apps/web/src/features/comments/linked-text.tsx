/** Plain text as it was typed; only addresses that begin with http:// or https:// become links. */
import { Fragment } from 'react'
import classes from './comments.module.css'

export function LinkedText({ text }: { text: string }) {
  return (
    <p className={classes.text} dir="auto">
      {splitLinks(text).map(({ text: part, isLink }, at) =>
        isLink ? (
          <a key={at} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ) : (
          <Fragment key={at}>{part}</Fragment>
        ),
      )}
    </p>
  )
}

type Part = { text: string; isLink: boolean }

export function splitLinks(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(/\bhttps?:\/\/[^\s<>"]+/giu)) {
    const address = withoutPunctuation(found)
    if (!URL.canParse(address)) continue
    parts.push({ text: text.slice(from, index), isLink: false }, { text: address, isLink: true })
    from = index + address.length
  }
  parts.push({ text: text.slice(from), isLink: false })
  return parts.filter((part) => part.text !== '')
}

/** What ends a sentence is not part of an address; a closing bracket is, if it was opened in it. */
function withoutPunctuation(found: string): string {
  const address = found.replace(/[.,;:!?'’”…]+$/u, '')
  const isOpened = address.includes('(') || !address.endsWith(')')
  return isOpened ? address : withoutPunctuation(address.slice(0, -1))
}
