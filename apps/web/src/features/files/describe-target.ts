/** Describes what was read from a structure: chains, the used chain, gaps, mapped and ignored residues. */
import type { ChainReport, Target } from '@pkdex/contract'
import { labelChain, nameChain } from '#web/lib/chains.ts'
import { capitalise, countOf } from '#web/lib/format.ts'

/** If there are more chains, they are counted and not named. */
const NAMED_CHAINS_MAX = 8
const NAMED_GAPS_MAX = 4

type Fact = { term: string; text: string }

export function describeTarget(target: Target): Fact[] {
  return [
    { term: 'Chains', text: describeChains(target.report.chains) },
    { term: 'Chain used', text: describeChoice(target) },
    { term: 'Gaps', text: describeGaps(target) },
    ...describePocket(target),
    ...describeChanges(target).map(({ term, text }) => ({ term, text: text || 'None' })),
  ]
}

/** `Chain A, one of 2, 274 residues, no gaps`, then mapped and ignored residues, if any. */
export function describeInLines(target: Target): string[] {
  const { chain, residues } = target
  const proteins = proteinChains(target)
  const among = proteins.length > 1 ? [`one of ${proteins.length} protein chains`] : []
  const gaps = countGaps(proteins.find(({ id }) => id === chain))
  const read = describeChanges(target).filter(({ text }) => text !== '')
  return [
    [capitalise(nameChain(chain)), ...among, countOf(residues, 'residue'), gaps].join(', '),
    ...read.map(({ term, text }) => `${term}: ${text}`),
  ]
}

/** `A, 274 residues`: an option in a list of chains. */
export function describeOption({ id, residues }: ChainReport): string {
  return `${capitalise(labelChain(id))}, ${countOf(residues, 'residue')}`
}

/** `Chain A, 274 residues`: the used chain alone. */
export function describeUse({ chain, residues }: Target): string {
  return `${capitalise(nameChain(chain))}, ${countOf(residues, 'residue')}`
}

export function proteinChains(target: Target): ChainReport[] {
  return target.report.chains.filter(({ kind }) => kind === 'protein')
}

/** Changes made while reading the file; empty if none. */
function describeChanges({ report: { mapped, mapped_count, dropped } }: Target): Fact[] {
  const parents = mapped.map(({ from, to, count }) => `${count} ${from} → ${to}`)
  const rest = (mapped_count ?? mapped.length) - mapped.length
  const more = rest > 0 ? ` and ${rest} more` : ''
  return [
    { term: 'Renamed residues', text: parents.join(', ') + more },
    { term: 'Ignored', text: dropped.join(', ') },
  ]
}

function describeChains(chains: ChainReport[]): string {
  const named = chains.slice(0, NAMED_CHAINS_MAX).map(describeChain)
  const rest = chains.length - named.length
  return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Only the first chain of each kind names the unit. */
function describeChain({ id, kind, residues }: ChainReport, index: number, all: ChainReport[]) {
  const isFirst = all.findIndex((chain) => chain.kind === kind) === index
  const unit = kind === 'protein' ? 'residues' : 'nucleotides'
  return isFirst ? `${labelChain(id)} (${residues} ${unit})` : `${labelChain(id)} (${residues})`
}

function describeChoice(target: Target): string {
  const proteins = proteinChains(target)
  const name = capitalise(nameChain(target.chain))
  const reason = proteins.length < 2 ? null : reasonFor(target, proteins)
  return reason === null ? name : `${name}, ${reason}`
}

/** Null if the report is from an older upload, which gives no reason. */
function reasonFor({ chain, report }: Target, proteins: ChainReport[]): string | null {
  const longest = Math.max(...proteins.map(({ residues }) => residues))
  const isFirstLongest = proteins.find(({ residues }) => residues === longest)?.id === chain
  if (report.default_chain && report.default_chain !== chain) return 'selected by you'
  if (isFirstLongest) return 'longest chain'
  if (report.pocket?.chain === chain) return `binds ${report.pocket.ligand}`
  return report.default_chain ? 'most residues of known type' : null
}

/** Empty if the file has no drug-like ligand in a pocket. */
function describePocket({ report: { pocket } }: Target): Fact[] {
  if (pocket === undefined) return []
  const { ligand, chain, residues, metals, cofactors } = pocket
  const beside = [...metals, ...cofactors]
  const named = beside.length === 0 ? '' : `; nearby: ${beside.join(', ')} (not used by the model)`
  const lined = `${ligand}, surrounded by ${countOf(residues, 'residue')} of ${nameChain(chain)}`
  return [{ term: 'Pocket', text: lined + named }]
}

function describeGaps(target: Target): string {
  const used = proteinChains(target).find(({ id }) => id === target.chain)
  if (used === undefined || used.gaps.length === 0) return `None in ${nameChain(target.chain)}`
  const named = used.gaps.slice(0, NAMED_GAPS_MAX).map(({ after, before, missing }) => {
    const size = missing === null ? '' : ` (${missing} missing)`
    return `${after} to ${before}${size}`
  })
  const count = used.gap_count ?? used.gaps.length
  const rest = count - named.length
  const more = rest > 0 ? ` and ${rest} more` : ''
  return `${count} in ${nameChain(used.id)}: ${named.join(', ')}${more}`
}

/** The number of gaps and missing residues; captions have no room for their positions. */
function countGaps(chain: ChainReport | undefined): string {
  const gaps = chain?.gap_count ?? chain?.gaps.length ?? 0
  if (gaps === 0) return 'no gaps'
  const missing = chain?.missing ? ` (${countOf(chain.missing, 'residue')} missing)` : ''
  return `${countOf(gaps, 'gap')}${missing}`
}
