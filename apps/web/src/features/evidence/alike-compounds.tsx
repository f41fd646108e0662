/** The training compounds most like the own one, each beside it with the common part marked, and what was measured of them. */
import type { AlikeEvidence, FormulaPicture } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { largeCountOf } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './alike-compounds.module.css'
import { alikeQuery, type ReadPair, reasonOf } from './evidence-queries.ts'
import { MarkedFormula } from './marked-formula.tsx'

export function AlikeCompounds({ pair }: { pair: ReadPair }) {
  const query = useQuery(alikeQuery(pair, useColorScheme()))
  return (
    <Loaded
      query={query}
      what="the training compounds that are alike"
      failure="The training compounds could not be looked up"
      reasonOf={reasonOf}
      lines={4}
    >
      {(evidence) => <Alike evidence={evidence} compound={pair.compound} />}
    </Loaded>
  )
}

type AlikeCompound = AlikeEvidence['compounds'][number]

function Alike({ evidence, compound }: { evidence: AlikeEvidence; compound: string }) {
  return (
    <>
      <p>{whereOf(evidence)}</p>
      <Unlisted evidence={evidence} />
      <ol className={classes.list}>
        {evidence.compounds.map((one, index) => (
          <li key={index}>
            <OneAlike one={one} own={evidence.own} compound={compound} />
          </li>
        ))}
      </ol>
    </>
  )
}

function whereOf({ scope, target, compounds }: AlikeEvidence): string {
  if (compounds.length === 0) return 'The model has no training compound to compare with.'
  if (scope === 'target') {
    const values = largeCountOf(target?.measured ?? 0, 'value')
    return `Of ${values} measured on ${target?.name ?? 'this target'}, those of the compounds most like yours:`
  }
  const why =
    target === null
      ? 'No training target resembles this protein'
      : `No measured compound is alike on this target (the nearest is ${target.name})`
  return `${why}. The training compounds most like yours were measured on other targets:`
}

/** The model's files hold no values of these, only what they weigh. */
function Unlisted({ evidence: { scope, target } }: { evidence: AlikeEvidence }) {
  if (scope !== 'target' || target === null || target.heard <= target.measured) return null
  const values = largeCountOf(target.heard, 'value')
  return (
    <p className="quiet">
      {`The number also hears ${values} from series on this protein; further Ki and IC50 of ChEMBL among them are not listed.`}
    </p>
  )
}

type OneProps = { one: AlikeCompound; own: FormulaPicture | null; compound: string }

function OneAlike({ one, own, compound }: OneProps) {
  const { picture, common, similarity, measurements, measurement_count } = one
  const name = one.name ?? 'A compound without a name'
  const left = measurement_count - measurements.length
  return (
    <article aria-label={name}>
      <h3>
        {name} <span className="quiet">Tanimoto similarity {similarity.toFixed(2)}</span>
      </h3>
      {own && picture ? (
        <>
          <div className={classes.pictures}>
            <Marked picture={own} marked={common.own} caption={compound} />
            <Marked picture={picture} marked={common.other} caption={name} />
          </div>
          <p className="quiet">{describeCommon(one, own.atoms.length)}</p>
        </>
      ) : (
        <p className="quiet">Its structure is not kept with the model.</p>
      )}
      <ul className={classes.values}>
        {measurements.map((measurement, index) => (
          <li key={index}>
            <b>{describeValue(measurement)}</b> on {measurement.target}
            {measurement.sources.length > 0 && (
              <span className="quiet"> · {measurement.sources.join(', ')}</span>
            )}
          </li>
        ))}
        {left > 0 && <li className="quiet">and {largeCountOf(left, 'more value')}</li>}
      </ul>
    </article>
  )
}

function describeCommon({ common, picture }: AlikeCompound, ownAtoms: number): string {
  const shared = common.own.length
  if (shared === ownAtoms && shared === picture?.atoms.length) {
    return 'The same atoms and bonds as yours.'
  }
  if (shared === 0) return 'No larger part in common.'
  return `The marked part is common: ${shared} of your ${ownAtoms} atoms.`
}

type Measurement = AlikeCompound['measurements'][number]

/** `pKd 9.05`; of merged values `pKd or pKi 9.05`; `pK` where the type is not known. */
function describeValue({ types, pk, is_upper_bound }: Measurement): string {
  const type = types.length === 0 ? 'pK' : types.map((each) => `p${each}`).join(' or ')
  return `${type} ${is_upper_bound ? 'below ' : ''}${pk.toFixed(2)}`
}

type MarkedProps = { picture: FormulaPicture; marked: number[]; caption: string }

function Marked({ picture, marked, caption }: MarkedProps) {
  const places = marked.flatMap((atom) => picture.atoms[atom] ?? [])
  return (
    <figure>
      <MarkedFormula picture={picture}>
        {places.map(({ x, y }, index) => (
          <circle key={index} cx={x} cy={y} r={20} className={classes.common} />
        ))}
      </MarkedFormula>
      <figcaption>{caption}</figcaption>
    </figure>
  )
}
