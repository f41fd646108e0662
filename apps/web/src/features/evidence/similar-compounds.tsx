/** The training compounds most similar to this one: four cards with the differences marked; More compares each with the compound. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import type { SimilarEvidence, FormulaPicture, PredictionResult } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { formatSigned, largeCountOf } from '#web/lib/format.ts'
import { describeAccuracy } from '#web/lib/model-accuracy.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Diamond } from '#web/ui/measured-mark.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './similar-compounds.module.css'
import { similarQuery, type ReadPair, reasonOf } from './evidence-queries.ts'
import { MarkedFormula } from './marked-formula.tsx'

const CARDS = 4

type Props = { pair: ReadPair; details: PredictionResult | null }

export function SimilarCompounds({ pair, details }: Props) {
  const query = useQuery(similarQuery(pair, useColorScheme()))
  return (
    <Loaded
      query={query}
      what="similar compounds"
      failure="Failed to load similar compounds"
      reasonOf={reasonOf}
      lines={3}
    >
      {(evidence) => <Similar evidence={evidence} compound={pair.compound} details={details} />}
    </Loaded>
  )
}

/** Values on the protein itself need no name of a target. */
function Cards({ evidence: { scope, target, compounds } }: { evidence: SimilarEvidence }) {
  const isElsewhere = ({ measurements: [first] }: SimilarCompound) =>
    scope === 'anywhere' || first?.target !== target?.name
  return (
    <ul className={classes.cards}>
      {compounds.slice(0, CARDS).map((one, index) => (
        <Card key={index} one={one} withTarget={isElsewhere(one)} />
      ))}
    </ul>
  )
}

type SimilarCompound = SimilarEvidence['compounds'][number]
type SimilarProps = {
  evidence: SimilarEvidence
  compound: string
  details: PredictionResult | null
}

function Similar({ evidence, compound, details }: SimilarProps) {
  const { scope, compounds } = evidence
  return (
    <>
      <Notes evidence={evidence} details={details} />
      {scope === 'target' ? (
        <Cards evidence={evidence} />
      ) : (
        compounds.length > 0 && (
          <details className={classes.more}>
            <summary>{`Measured on other targets: ${compounds.length}`}</summary>
            <Cards evidence={evidence} />
          </details>
        )
      )}
      <details className={classes.more}>
        <summary>More</summary>
        <Accuracy evidence={evidence} />
        <Ranking evidence={evidence} />
        {details && <Nearest details={details} />}
        {evidence.shift !== 0 && <p>{describeShift(evidence)}</p>}
        <p>{whereOf(evidence)}</p>
        <Stack component="ol" className={classes.list} gap="lg" mt="sm">
          {compounds.map((one, index) => (
            <li key={index}>
              <OneSimilar one={one} own={evidence.own} compound={compound} />
            </li>
          ))}
        </Stack>
      </details>
    </>
  )
}

function Notes({ evidence, details }: Omit<SimilarProps, 'compound'>) {
  const ic50 = 'Mostly IC50 data: pIC50 is usually lower than pKd.'
  const notes = [describeMissing(evidence, details), details?.is_mostly_ic50 === true && ic50]
  const text = notes.filter((note) => note !== null && note !== false).join(' ')
  return (
    text !== '' && (
      <Box component="p" mb="xs" c="var(--ink-2)">
        {text}
      </Box>
    )
  )
}

function Accuracy({ evidence: { accuracy } }: { evidence: SimilarEvidence }) {
  return accuracy && <p>{describeAccuracy(accuracy)}</p>
}

/** Large compounds bind more tightly, so a ranking is judged beyond size as well. */
function Ranking({ evidence: { ranking } }: { evidence: SimilarEvidence }) {
  if (ranking === null) return null
  const { series, plain, structure_adjusted: adjusted } = ranking
  const both = (of: typeof plain) =>
    `${of.tau.toFixed(2)}, ${of.beyond_size.toFixed(2)} beyond size`
  return (
    <p>
      {`Ranking in ${series.toLocaleString('en')} new series: Kendall’s tau ${both(plain)}; with poses ${both(adjusted)}.`}
    </p>
  )
}

function describeMissing(
  { scope, compounds: [first] }: SimilarEvidence,
  details: PredictionResult | null,
): string | null {
  if (first === undefined) return null
  if (scope === 'anywhere') return 'No similar compound was measured on this target.'
  return first.similarity >= SAME_SIMILARITY ? describeSame(first, details) : null
}

/** Null if the line above the number says it already. */
function describeSame(one: SimilarCompound, details: PredictionResult | null): string | null {
  const [first] = one.measurements
  const isSaid = details?.exact_measurements?.[0]?.source === 'training'
  return first === undefined || isSaid
    ? null
    : `Measured on this target: ${numberOf(first)} (${identifierOf(one)}).`
}

/** Similarities are displayed to 0.01: this is 1.00. */
const SAME_SIMILARITY = 0.995

function Card({ one, withTarget }: { one: SimilarCompound; withTarget: boolean }) {
  const { picture, common, similarity, measurements } = one
  const [first] = measurements
  const shared = new Set(common.other)
  return (
    <li className={classes.card} title={first && `${first.target}, ${first.sources.join(', ')}`}>
      {picture ? (
        <MarkedFormula picture={picture} isSmall>
          {picture.atoms.map(({ x, y }, atom) =>
            shared.has(atom) || shared.size === 0 ? null : (
              <circle key={atom} cx={x} cy={y} r={24} className={classes.differs} />
            ),
          )}
        </MarkedFormula>
      ) : (
        <p className={classes.none}>No drawing</p>
      )}
      <p>
        <b>
          <Diamond />
          {first && numberOf(first)}
        </b>
        <span>{similarity.toFixed(2)}</span>
      </p>
      <p className={classes.name}>{identifierOf(one)}</p>
      {withTarget && <p className={classes.name}>on {shortName(first?.target ?? '')}</p>}
    </li>
  )
}

function identifierOf({ name, smiles }: SimilarCompound): string {
  return name ?? smiles ?? 'Unnamed'
}

/** Without the species, which the tooltip shows. */
function shortName(target: string): string {
  return target.replace(/ \([^()]*\)$/, '')
}

/** The reason for the domain and the closest targets, one fact per line. */
function Nearest({ details: { domain, nearest_targets: targets } }: { details: PredictionResult }) {
  return (
    <>
      <p>{domain.reason}</p>
      <Box component="dl" aria-label="Closest training targets" my="xs">
        {targets.map((target) => (
          <Flex
            key={target.name}
            className="quiet"
            wrap="wrap"
            justify="space-between"
            columnGap="sm"
          >
            <dt>{target.name}</dt>
            <dd>{describeTarget(target)}</dd>
          </Flex>
        ))}
      </Box>
    </>
  )
}

type NearTarget = PredictionResult['nearest_targets'][number]

/** `98% identical, 1,204 values measured`; older results contain only shared k-mers. */
function describeTarget({ identity_percent, measurements, similarity }: NearTarget): string {
  if (measurements === undefined) return `similarity ${similarity.toFixed(2)}`
  const identity =
    identity_percent === undefined ? 'not related' : `${identity_percent.toFixed(0)}% identical`
  return `${identity}, ${largeCountOf(measurements, 'value')} measured`
}

function whereOf({ scope, target, compounds }: SimilarEvidence): string {
  if (compounds.length === 0) return 'No similar training compound to compare with.'
  if (scope === 'target') {
    const values = largeCountOf(target?.measured ?? 0, 'value')
    return `The most similar of ${values} measured on ${target?.name ?? 'this target'}, and what else moves the prediction:`
  }
  const why =
    target === null ? 'No similar training target' : `The closest target is ${target.name}`
  return `${why}. These compounds were measured on other targets:`
}

function describeShift({ shift }: SimilarEvidence): string {
  return `All measured values together move the prediction by ${formatSigned(shift, 2)}.`
}

type OneProps = { one: SimilarCompound; own: FormulaPicture | null; compound: string }

function OneSimilar({ one, own, compound }: OneProps) {
  const { picture, common, similarity, measurements, measurement_count } = one
  const name = identifierOf(one)
  const left = measurement_count - measurements.length
  return (
    <article aria-label={name}>
      <Box component="h3" className="breaks" fz="md">
        {name} <span className="quiet">Tanimoto similarity {similarity.toFixed(2)}</span>
      </Box>
      {own && picture ? (
        <>
          <div className={classes.pictures}>
            <Marked picture={own} marked={common.own} caption={compound} />
            <Marked picture={picture} marked={common.other} caption={name} />
          </div>
          <p className="quiet">{describeCommon(one, own.atoms.length)}</p>
        </>
      ) : (
        <p className="quiet">Structure not available.</p>
      )}
      <Box component="ul" className={classes.values} mt={4}>
        {measurements.map((measurement, index) => (
          <li key={index}>
            <b>{describeValue(measurement)}</b> on {measurement.target}
            {measurement.sources.length > 0 && (
              <span className="quiet"> · {measurement.sources.join(', ')}</span>
            )}
            {describeContribution(measurement)}
          </li>
        ))}
        {left > 0 && <li className="quiet">and {largeCountOf(left, 'more value')}</li>}
      </Box>
    </article>
  )
}

function describeCommon({ common, picture }: SimilarCompound, ownAtoms: number): string {
  const shared = common.own.length
  if (shared === ownAtoms && shared === picture?.atoms.length) {
    return 'Same structure as yours (stereochemistry ignored).'
  }
  if (shared === 0) return 'No common substructure.'
  return `Shared substructure: ${shared} of ${ownAtoms} atoms.`
}

type Measurement = SimilarCompound['measurements'][number]

/** `pKd 9.05`; for merged values `pKd or pKi 9.05`; `pK` if the type is unknown. */
function describeValue(measurement: Measurement): string {
  const { types } = measurement
  const type = types.length === 0 ? 'pK' : types.map((each) => `p${each}`).join(' or ')
  return `${type} ${numberOf(measurement)}`
}

function describeContribution({ contribution }: Measurement): string {
  return contribution === null ? '' : `: moves the prediction by ${formatSigned(contribution, 2)}`
}

function numberOf({ pk, is_upper_bound: isUpperBound }: Measurement): string {
  return `${isUpperBound ? '< ' : ''}${pk.toFixed(2)}`
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
      <Box component="figcaption" className="quiet breaks" ta="center">
        {caption}
      </Box>
    </figure>
  )
}
