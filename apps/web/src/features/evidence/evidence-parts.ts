/** One piece of code for all parts: they share most of it. */
export { AlikeCompounds } from './alike-compounds.tsx'
export { AtomMap } from './atom-map.tsx'
export { ReceiptFacts } from './receipt-facts.tsx'
