/** Atom contributions: circles behind the atoms, larger for larger contributions, and the same as text. */
import { Flex, Stack } from '#web/ui/layout.ts'
import type { AtomEvidence } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { formatSigned } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import classes from './atom-map.module.css'
import { atomsQuery, type ReadPair, reasonOf } from './evidence-queries.ts'
import { MarkedFormula } from './marked-formula.tsx'

/** An atom below this counts as no contribution. */
const NOTHING_PKD = 0.005
/** No atom below this is highlighted: the model does not resolve smaller differences. */
const RESOLVED_PKD = 0.1
/** The largest circle represents at least this much, so that small contributions look small. */
const SCALE_PKD_MIN = 0.15
const LARGEST_PIXELS = 24
const NAMED = 3

export function AtomMap({ pair }: { pair: ReadPair }) {
  const query = useQuery(atomsQuery(pair, useColorScheme()))
  return (
    <Loaded
      query={query}
      what="atom contributions"
      failure="Failed to compute atom contributions"
      reasonOf={reasonOf}
      lines={4}
    >
      {(evidence) => <Atoms evidence={evidence} />}
    </Loaded>
  )
}

/** Hiding any atom of a compound in the training data breaks the exact match, so all atoms have the same sign. */
function whyNothingStandsOut(contributions: number[]): string | null {
  if (contributions.every((value) => Math.abs(value) < RESOLVED_PKD)) {
    return `No atom stands out: hiding any one atom changes the pKd by less than ${RESOLVED_PKD}, which the model cannot resolve.`
  }
  const signs = new Set(
    contributions.filter((value) => Math.abs(value) >= NOTHING_PKD).map(Math.sign),
  )
  if (signs.size > 1) return null
  const change = signs.has(1) ? 'lowers' : 'raises'
  return `No atom stands out: hiding any atom ${change} the pKd, so the atoms cannot be told apart.`
}

type Atom = { number: number; element: string; x: number; y: number; contribution: number }

function Atoms({ evidence: { picture, contributions } }: { evidence: AtomEvidence }) {
  const atoms = picture.atoms.map((atom, index) => {
    return { ...atom, number: index + 1, contribution: contributions[index] ?? 0 }
  })
  const why = whyNothingStandsOut(contributions)
  if (why !== null) return <p>{why}</p>
  const scale = Math.max(SCALE_PKD_MIN, ...contributions.map(Math.abs))
  const sorted = atoms.toSorted((a, b) => b.contribution - a.contribution)
  const most = sorted.filter((atom) => atom.contribution >= NOTHING_PKD).slice(0, NAMED)
  const least = sorted
    .filter((atom) => atom.contribution <= -NOTHING_PKD)
    .slice(-NAMED)
    .toReversed()
  return (
    <>
      <p className="quiet">
        Drop in predicted pKd when an atom is hidden. This explains the model, not the binding;
        contributions do not add up.
      </p>
      <div className={classes.picture}>
        <MarkedFormula picture={picture}>
          {atoms.map((atom) => (
            <Disc key={atom.number} atom={atom} scale={scale} />
          ))}
          {[...most, ...least].map((atom) => (
            <text key={atom.number} x={atom.x + 13} y={atom.y - 13} className={classes.number}>
              {atom.number}
            </text>
          ))}
        </MarkedFormula>
      </div>
      <Legend scale={scale} />
      <Stack component="dl" className={classes.words} gap={4}>
        <Extremes title="Raise it most" atoms={most} />
        <Extremes title="Lower it most" atoms={least} />
      </Stack>
      <AllAtoms atoms={atoms} />
    </>
  )
}

function Disc({ atom: { x, y, contribution }, scale }: { atom: Atom; scale: number }) {
  if (Math.abs(contribution) < NOTHING_PKD) return null
  const radius = LARGEST_PIXELS * Math.sqrt(Math.abs(contribution) / scale)
  return (
    <circle cx={x} cy={y} r={radius} className={contribution > 0 ? classes.adds : classes.takes} />
  )
}

/** Filled or ringed, so that they can be distinguished without colour. */
function Legend({ scale }: { scale: number }) {
  return (
    <ul className={classes.legend}>
      <Flex component="li" gap="xs" align="center">
        <svg width={20} height={20} viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" className={classes.adds} />
        </svg>
        raises pKd
      </Flex>
      <Flex component="li" gap="xs" align="center">
        <svg width={20} height={20} viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" className={classes.takes} />
        </svg>
        lowers it
      </Flex>
      <li>largest circle: {scale.toFixed(2)} pKd</li>
    </ul>
  )
}

function Extremes({ title, atoms }: { title: string; atoms: Atom[] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{atoms.length === 0 ? 'none' : atoms.map(describe).join(', ')}</dd>
    </div>
  )
}

function describe({ element, number, contribution }: Atom): string {
  return `${element} ${number} (${formatSigned(contribution, 2)})`
}

function AllAtoms({ atoms }: { atoms: Atom[] }) {
  return (
    <details className={classes.all}>
      <summary>All atoms</summary>
      <DataTable
        label="All atoms"
        isInset
        rows={atoms}
        keyOf={({ number }) => number}
        columns={[
          { title: 'Atom', cell: ({ element, number }) => `${element} ${number}` },
          {
            title: 'Contribution, pKd',
            label: true,
            isNumber: true,
            cell: ({ contribution }) => formatSigned(contribution, 2),
          },
        ]}
      />
    </details>
  )
}
