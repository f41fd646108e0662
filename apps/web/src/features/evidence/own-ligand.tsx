/** The user's own reference ligand of a target: given as SDF or SMILES, or removed. */
import { Flex } from '#web/ui/layout.ts'
import { keepOwnLigand, removeOwnLigand } from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { TextArea } from '#web/ui/field.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { reasonOf } from './evidence-queries.ts'
import classes from './pose-view.module.css'

/** A molecule file has lines of atoms and bonds; a SMILES is one line. */
const Ligand = z
  .object({ ligand: z.string().refine((text) => text.trim() !== '') })
  .transform(({ ligand: text }) =>
    /^M {2}END/m.test(text) || text.trim().includes('\n') ? { sdf: text } : { smiles: text.trim() },
  )

type Props = {
  target: string
  chain: string
  hasOwn: boolean
  /** Called after the ligands of the target have changed. */
  onChange: () => void
}

export function OwnLigand({ target, chain, hasOwn, onChange }: Props) {
  const client = useQueryClient()
  const onSuccess = async () => {
    onChange()
    await client.invalidateQueries({ queryKey: ['pose'] })
  }
  const keep = useMutation({
    mutationFn: (ligand: z.output<typeof Ligand>) =>
      call(keepOwnLigand, { body: { target, chain, ...ligand } }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: () => call(removeOwnLigand, { query: { target, chain } }),
    onSuccess,
  })
  const form = useForm(Ligand, {
    says: { ligand: 'Paste an SDF or SMILES.' },
    send: (ligand, element) => keep.mutate(ligand, { onSuccess: () => element.reset() }),
    isBusy: keep.isPending,
  })
  const error = keep.error ?? remove.error
  return (
    <details className={classes.own}>
      <summary>Your own ligand</summary>
      <form {...form.props}>
        <TextArea
          label="SDF or SMILES"
          hint="An SDF with coordinates in the pocket. A SMILES must be a ligand of the structure, whose coordinates it takes."
          rows={4}
          placeholder="CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1"
          {...form.field('ligand')}
        />
        {error && <p role="alert">{reasonOf(error)}</p>}
        <Flex wrap="wrap" rowGap="xs" columnGap="md" align="center" mt="sm">
          <Button type="submit" loading={keep.isPending}>
            Use this ligand
          </Button>
          {hasOwn && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              Remove your ligand
            </Button>
          )}
        </Flex>
      </form>
    </details>
  )
}
