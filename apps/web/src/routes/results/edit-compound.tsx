/** Edits a compound in the drawing tool: what the change costs, then its number; stored on request. */
import { type Compound, type PairsAnswer, predictPairs, quotePairs } from '@pkdex/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { targetQuery, useRefreshFiles } from '#web/features/files/file-lists.ts'
import { StructureEditor } from '#web/features/files/structure-editor.tsx'
import { countCredits } from '#web/features/predictions/prediction-state.ts'
import { call, messageOf, newOrderKey } from '#web/lib/api.ts'
import { upload } from '#web/lib/upload.ts'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useForm } from '#web/ui/use-form.ts'

type Props = {
  compound: Compound
  target: string | null
  onBalanceChange: () => void
  /** `isKnown`: its number is there, so that selecting it is free. */
  onStored: (name: string, isKnown: boolean) => void
}

const PAUSE_MS = 400

const Named = z.object({
  name: z
    .string()
    .transform((typed) => typed.replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().min(1, 'Enter a name.')),
})

export function EditCompound({ compound, target, onBalanceChange, onStored }: Props) {
  const [drawn, setDrawn] = useState(compound.smiles)
  const [smiles] = useDebouncedValue(drawn, PAUSE_MS)
  const pair = useEdited(smiles === compound.smiles ? '' : smiles, target, onBalanceChange)
  const refreshFiles = useRefreshFiles()
  const store = useMutation({
    mutationFn: (name: string) => storeCompound(drawn, name),
    onSuccess: ({ names: [stored = ''] }) => {
      refreshFiles()
      onStored(stored, pair.number.data?.best_kd != null)
    },
  })
  const form = useForm(Named, { send: ({ name }) => store.mutate(name), isBusy: store.isPending })
  return (
    <form className="stack" {...form.props}>
      <StructureEditor smiles={compound.smiles} onChange={setDrawn} />
      <DrawnNumber pair={pair} target={target} />
      <Field label="Name" defaultValue={`${compound.name} edited`} {...form.field('name')} />
      {store.error && (
        <Note tone="failure">{messageOf(store.error, 'The compound was not stored.')}</Note>
      )}
      <Button
        type="submit"
        variant="default"
        loading={store.isPending}
        disabled={drawn === '' || drawn === compound.smiles}
      >
        Add to compounds
      </Button>
    </form>
  )
}

type Edited = ReturnType<typeof useEdited>

/** The quote of the drawn molecule, and its number: at once if that is free, else when it was bought. */
function useEdited(smiles: string, target: string | null, onPaid: () => void) {
  const chain = useQuery(targetQuery(target)).data?.chain
  const [bought, setBought] = useState<string | null>(null)
  const body =
    target === null || chain === undefined || smiles === '' ? null : { smiles, target, chain }
  const quote = useQuery(costQuery(body))
  const isFree = quote.data?.credits_needed === 0 && quote.data.known > 0
  const number = useQuery(numberQuery(isFree || bought === smiles ? body : null, onPaid))
  return { quote, number, buy: () => setBought(smiles), isDrawn: smiles !== '' }
}

type Body = { smiles: string; target: string; chain: string } | null

function costQuery(body: Body) {
  return queryOptions({
    queryKey: ['edited', 'cost', body],
    queryFn: body === null ? skipToken : ({ signal }) => call(quotePairs, { body, signal }),
    retry: false,
  })
}

function numberQuery(body: Body, onPaid: () => void) {
  return queryOptions({
    queryKey: ['edited', 'number', body],
    queryFn: body === null ? skipToken : () => predict(body).finally(onPaid),
    staleTime: Number.POSITIVE_INFINITY,
    // What costs a credit is never repeated automatically.
    retry: false,
  })
}

async function predict(body: NonNullable<Body>): Promise<PairsAnswer['predictions'][number]> {
  const headers = { 'Idempotency-Key': newOrderKey() }
  for (;;) {
    // The server responds within a minute; until then the same order is requested again.
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status, predictions } = await call(predictPairs, { body, headers })
    if (status === 'QUEUED' || status === 'RUNNING') continue
    const [only] = predictions
    if (only?.best_kd == null) throw new Error(only?.reason ?? 'No prediction.')
    return only
  }
}

function DrawnNumber({ pair, target }: { pair: Edited; target: string | null }) {
  const { quote, number, buy, isDrawn } = pair
  if (target === null) return <p className="quiet">Select a target to see the number.</p>
  if (!isDrawn) return <p className="quiet">{`Edit the compound: its pKd on ${target} follows.`}</p>
  const error = number.error ?? quote.error
  if (error) return <Note tone="failure">{messageOf(error, error.message)}</Note>
  if (number.data?.best_kd != null) {
    const { best_kd: pkd, best_interval: interval } = number.data
    return (
      <output>
        <b>{`pKd ${pkd.toFixed(2)}`}</b>
        {interval && `, ${interval.lower.toFixed(1)} to ${interval.upper.toFixed(1)}`}
      </output>
    )
  }
  if (number.isFetching || quote.data === undefined) return <Spinner text="Predicting" />
  if (quote.data.total === 0) return <p>This structure cannot be predicted.</p>
  return (
    <Button onClick={buy} disabled={quote.data.credits_needed > quote.data.credits_left}>
      {`Predict (${countCredits(quote.data.credits_needed)})`}
    </Button>
  )
}

function storeCompound(smiles: string, name: string) {
  const filename = `${name.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_').slice(0, 80)}.txt`
  const file = new File([`${smiles} ${name}`], filename, { type: 'text/plain' })
  const { signal } = new AbortController()
  return upload({ file, fileType: 'drug_smiles', onProgress: () => undefined, signal })
}
