/** One chunk for all parts, because they share most of their code. */
export { SimilarCompounds } from './similar-compounds.tsx'
export { PoseView } from './pose-view.tsx'
export { AtomMap } from './atom-map.tsx'
export { ReceiptFacts } from './receipt-facts.tsx'
