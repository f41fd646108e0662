/**
 * Details of the compound under the pointer or keyboard focus, next to the list: structure, formula
 * and properties. Predicts nothing.
 */
import { Box } from '#web/ui/layout.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { compoundQuery } from '#web/features/files/file-lists.ts'
import { formatLigandEfficiency, formatPkd } from '#web/lib/affinity.ts'
import { formatNumber } from '#web/lib/format.ts'
import { pictureQuery } from '#web/features/previews/picture-query.ts'
import { Formula } from '#web/ui/formula.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './compound-look.module.css'

/** Hover delay, so that passing over an item sends no request. */
const REST_MS = 200

/** `name`: null if no compound is shown. `pkd`: its prediction, if there is one. */
export function CompoundLook({ name, pkd }: { name: string | null; pkd: number | undefined }) {
  const [rested] = useDebouncedValue(name, REST_MS)
  const theme = useColorScheme()
  const looked = name === rested ? name : null
  const { data: compound } = useQuery(compoundQuery(looked))
  const { data: picture } = useQuery({
    ...pictureQuery('molecule', looked ?? '', theme),
    enabled: looked !== null,
  })
  if (looked === null || compound === undefined) return <output className="visually-hidden" />
  const { formula, mass, heavy_atoms } = compound.report
  return (
    <output className={`sheet ${classes.look}`} aria-label={`About ${looked}`}>
      <Box className={classes.picture} h="9rem" mb={10}>
        {picture && <img src={picture.address} alt="" />}
      </Box>
      <b className={classes.name}>{looked}</b>
      <dl>
        <Fact term="Formula">
          <Formula text={formula} />
        </Fact>
        <Fact term="Mass">{mass.toFixed(1)} g/mol</Fact>
        {compound.log_p !== undefined && <Fact term="logP">{formatNumber(compound.log_p, 1)}</Fact>}
        {compound.tpsa !== undefined && <Fact term="TPSA">{compound.tpsa.toFixed(0)} Å²</Fact>}
        {pkd !== undefined && (
          <>
            <Fact term="Predicted pKd">{formatPkd(pkd)}</Fact>
            <Fact term="Ligand efficiency">{formatLigandEfficiency(pkd, heavy_atoms)}</Fact>
          </>
        )}
      </dl>
      <p className="faint small">No credits are used.</p>
    </output>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
