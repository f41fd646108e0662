/** Keeps the letters typed over a list and says which item they mean. */
import { type KeyboardEvent, useRef } from 'react'
import { addLetter, findTyped, isSpaceOfName, nothingTyped } from './type-ahead.ts'

export function useTypeAhead(items: readonly { name: string }[]) {
  const letters = useRef(nothingTyped)
  const names = () => items.map(({ name }) => name)
  return {
    /** True for a letter, and for a space inside the name that is being typed. */
    isLetter: ({ key, timeStamp }: KeyboardEvent) =>
      key === ' ' ? isSpaceOfName(names(), letters.current, timeStamp) : key.length === 1,
    /** Index of the item that is meant now, or null. */
    find: ({ key, timeStamp }: KeyboardEvent, current: number | null) => {
      letters.current = addLetter(letters.current, key, timeStamp)
      return findTyped(names(), letters.current.typed, current ?? -1)
    },
  }
}
