/**
 * Drops matched pairs whose compounds have opposite configurations outside the changed group: their difference is that
 * of stereoisomers. Where one of them has no configuration, the pair stays.
 */
import { flatSmiles } from '../smiles/flat-smiles.ts'
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { canonicalGroup, listContexts } from './apply-changes.ts'
import { HYDROGEN_GROUP, type MatchedPair } from './matched-pairs.ts'

/** `smiles`: standard ones, by index of the pairs. `beginStep` is called before each molecule that is cut. */
export function withoutOpposites(
  rdkit: RdkitModule,
  { pairs, smiles }: { pairs: MatchedPair[]; smiles: (string | null)[] },
  beginStep: () => void = () => undefined,
): MatchedPair[] {
  const known = new Map<number, Map<string, string[]>>()
  const contextsOf = (compound: number, group: string): string[] => {
    const whole = smiles[compound] ?? ''
    if (group === HYDROGEN_GROUP) return [whole]
    const contexts = known.get(compound) ?? (beginStep(), listContexts(rdkit, whole))
    known.set(compound, contexts)
    return contexts.get(canonicalGroup(rdkit, group)) ?? []
  }
  return pairs.filter(({ from, to, fromGroup, toGroup }) => {
    if (!hasCentre(smiles[from]) || !hasCentre(smiles[to])) return true
    const isHydrogen = fromGroup === HYDROGEN_GROUP
    const before = contextsOf(from, fromGroup).map((one) => readContext(rdkit, one))
    const after = contextsOf(to, toGroup).map((one) => {
      return readContext(rdkit, isHydrogen ? one.replace('[*:1]', '[H]') : one)
    })
    const alike = before.flatMap((one) => {
      return after.filter(({ flat }) => flat === one.flat).map((other) => [one, other] as const)
    })
    return alike.length === 0 || alike.some(([one, other]) => !areOpposite(one, other))
  })
}

function hasCentre(smiles: string | null | undefined): boolean {
  return smiles?.includes('@') === true
}

type Context = { flat: string; configured: string; centres: number }

function readContext(rdkit: RdkitModule, smiles: string): Context {
  return trapped(() => {
    // The bonds of E and Z are not compared.
    using molecule = rdkit.get_mol(smiles.replaceAll(/[\\/]/g, ''))
    const configured = molecule?.get_smiles() ?? smiles
    const centres = configured.match(/@+/g)?.length ?? 0
    return { flat: flatSmiles(rdkit, configured), configured, centres }
  })
}

/** With the same number of centres; otherwise some are not defined in one of them. */
function areOpposite(one: Context, other: Context): boolean {
  return one.centres === other.centres && one.configured !== other.configured
}
