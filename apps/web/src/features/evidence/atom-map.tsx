/** What each atom adds to the number: discs behind the atoms, larger for more, and the same in words. */
import type { AtomEvidence } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#web/ui/loaded.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './atom-map.module.css'
import { atomsQuery, type ReadPair, reasonOf } from './evidence-queries.ts'
import { MarkedFormula } from './marked-formula.tsx'

/** Below it an atom counts as adding nothing. */
const NOTHING_PKD = 0.005
/** The largest disc stands for at least this much, so that a map of small numbers looks small. */
const SCALE_PKD_MIN = 0.15
const LARGEST_PIXELS = 24
const NAMED = 3

export function AtomMap({ pair }: { pair: ReadPair }) {
  const query = useQuery(atomsQuery(pair, useColorScheme()))
  return (
    <Loaded
      query={query}
      what="what each atom adds"
      failure="The atoms could not be explained"
      reasonOf={reasonOf}
      lines={4}
    >
      {(evidence) => <Atoms evidence={evidence} />}
    </Loaded>
  )
}

type Atom = { number: number; element: string; x: number; y: number; adds: number }

function Atoms({ evidence: { picture, adds } }: { evidence: AtomEvidence }) {
  const atoms = picture.atoms.map((atom, index) => {
    return { ...atom, number: index + 1, adds: adds[index] ?? 0 }
  })
  const scale = Math.max(SCALE_PKD_MIN, ...adds.map(Math.abs))
  const sorted = atoms.toSorted((a, b) => b.adds - a.adds)
  const most = sorted.filter((atom) => atom.adds >= NOTHING_PKD).slice(0, NAMED)
  const least = sorted
    .filter((atom) => atom.adds <= -NOTHING_PKD)
    .slice(-NAMED)
    .toReversed()
  return (
    <>
      <p className="quiet">
        How far the number falls when the model does not see an atom. This is what the model uses,
        not how the compound binds; the parts do not add up to the number.
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
      <dl className={classes.words}>
        <Extremes title="Add most" atoms={most} />
        <Extremes title="Take away most" atoms={least} />
      </dl>
      <AllAtoms atoms={atoms} />
    </>
  )
}

function Disc({ atom: { x, y, adds }, scale }: { atom: Atom; scale: number }) {
  if (Math.abs(adds) < NOTHING_PKD) return null
  const radius = LARGEST_PIXELS * Math.sqrt(Math.abs(adds) / scale)
  return <circle cx={x} cy={y} r={radius} className={adds > 0 ? classes.adds : classes.takes} />
}

/** Filled and ringed, so that the two are told apart without their colours. */
function Legend({ scale }: { scale: number }) {
  return (
    <ul className={classes.legend}>
      <li>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" className={classes.adds} />
        </svg>
        adds to the number
      </li>
      <li>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" className={classes.takes} />
        </svg>
        takes away from it
      </li>
      <li>largest disc: {scale.toFixed(2)} pKd</li>
    </ul>
  )
}

function Extremes({ title, atoms }: { title: string; atoms: Atom[] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{atoms.length === 0 ? 'no atom' : atoms.map(describe).join(', ')}</dd>
    </div>
  )
}

function describe({ element, number, adds }: Atom): string {
  return `${element} ${number} (${signed(adds)})`
}

function signed(value: number): string {
  const digits = Math.abs(value).toFixed(2)
  if (Number(digits) === 0) return digits
  return value < 0 ? `−${digits}` : `+${digits}`
}

function AllAtoms({ atoms }: { atoms: Atom[] }) {
  return (
    <details className={classes.all}>
      <summary>All atoms in a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Atom</th>
            <th scope="col">Adds, pKd</th>
          </tr>
        </thead>
        <tbody>
          {atoms.map(({ number, element, adds }) => (
            <tr key={number}>
              <th scope="row">
                {element} {number}
              </th>
              <td>{signed(adds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
