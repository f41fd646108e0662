/** The number of a compound's structural alerts; a click shows each pattern with its atoms marked. */
import { Box, Flex } from '#web/ui/layout.ts'
import { type LocatedAlert, locateAlerts } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, loadingReason } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './alert-cell.module.css'

/** `alerts`: null if not checked, or without a compound. */
export function AlertCell({ alerts, smiles }: { alerts: string[] | null; smiles: string }) {
  const [isOpen, setIsOpen] = useState(false)
  if (alerts === null) return '–'
  if (alerts.length === 0) return <span className="faint">none</span>
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps clicks from the row
    <span onClick={(event) => event.stopPropagation()}>
      <Button
        variant="subtle"
        px="xs"
        c="var(--warn-ink, var(--ink))"
        title={alerts.join(', ')}
        onClick={() => setIsOpen(true)}
      >
        {countOf(alerts.length, 'alert')}
      </Button>
      {isOpen && <AlertDialog smiles={smiles} onClose={() => setIsOpen(false)} />}
    </span>
  )
}

function AlertDialog({ smiles, onClose }: { smiles: string; onClose: () => void }) {
  const theme = useColorScheme()
  const query = useQuery({
    queryKey: ['alerts', smiles, theme],
    queryFn: ({ signal }) => call(locateAlerts, { body: { smiles, theme }, signal }),
  })
  return (
    <Dialog label="Structural alerts" onClose={onClose}>
      <h2>Structural alerts</h2>
      <Loaded
        query={query}
        what="the alerts"
        failure="Failed to load the alerts"
        reasonOf={loadingReason}
        lines={4}
      >
        {({ alerts, picture }) => <Located alerts={alerts} picture={picture} />}
      </Loaded>
    </Dialog>
  )
}

type Picture = { image: string; width: number; height: number; alt: string; atoms: Place[] }
type Place = { x: number; y: number }
type LocatedProps = { alerts: LocatedAlert[]; picture: Picture | null }

function Located({ alerts, picture }: LocatedProps) {
  const [chosen, setChosen] = useState(0)
  const atoms = alerts[chosen]?.atoms ?? []
  return (
    <>
      {picture && (
        <Box className={classes.formula} pos="relative" maw={300} mr="auto" mb="sm" ml="auto">
          <svg viewBox={`0 0 ${picture.width} ${picture.height}`} aria-hidden="true">
            {atoms.map((atom) => {
              const place = picture.atoms[atom]
              return place && <circle key={atom} cx={place.x} cy={place.y} r={11} />
            })}
          </svg>
          <img
            src={picture.image}
            alt={picture.alt}
            width={picture.width}
            height={picture.height}
          />
        </Box>
      )}
      <Flex component="ul" direction="column" gap="var(--s-1)">
        {alerts.map(({ list, name, atoms: { length } }, at) => (
          <li key={`${list} ${name}`}>
            <Button
              variant={at === chosen ? 'light' : 'subtle'}
              aria-pressed={at === chosen}
              onClick={() => setChosen(at)}
            >
              {`${list === 'own' ? 'Your pattern' : list}: ${name}, ${countOf(length, 'atom')}`}
            </Button>
          </li>
        ))}
      </Flex>
      <Link className="target small" to="/account/alerts">
        Edit your patterns
      </Link>
    </>
  )
}
