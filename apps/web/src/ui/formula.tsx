/** A molecular formula with its numbers as subscripts and its charge as a superscript. */
import type { ReactNode } from 'react'

export function Formula({ text }: { text: string }) {
  const parts = text.match(/[+-]\d*$|\d+|[^\d+-]+/g) ?? []
  return <span>{parts.map(setPart)}</span>
}

function setPart(part: string, index: number): ReactNode {
  if (/^\d/.test(part)) return <sub key={index}>{part}</sub>
  if (/^[+-]/.test(part)) return <sup key={index}>{part.replace('-', '−')}</sup>
  return part
}
