/** The receipt of a prediction: its inputs and the model, to read and to save. */
import { Stack } from '#web/ui/layout.ts'
import type { Receipt } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { nameChain } from '#web/lib/chains.ts'
import { formatMinute } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { type ReadPair, reasonOf, receiptQuery } from './evidence-queries.ts'
import classes from './receipt-facts.module.css'

export function ReceiptFacts({ pair }: { pair: ReadPair }) {
  const query = useQuery(receiptQuery(pair))
  return (
    <Loaded
      query={query}
      what="the receipt"
      failure="Failed to load the receipt"
      reasonOf={reasonOf}
      lines={4}
    >
      {(receipt) => <Facts receipt={receipt} />}
    </Loaded>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { structure, compound, model, features } = receipt
  const filename = `receipt_${structure.name}_${compound.name}.json`
  const save = () => {
    const text = `${JSON.stringify(receipt, null, 2)}\n`
    saveFile(new Blob([text], { type: 'application/json' }), filename)
  }
  const facts: [term: string, value: string][] = [
    ['pKd', receipt.predicted_kd.toFixed(4)],
    ['Predicted', formatMinute(receipt.predicted_at)],
    ['Model', model.version],
    ['Model SHA-256', model.card_sha256],
    ['Features', `version ${features.version}, ${features.hash}`],
    ['Structure', `${structure.filename}, ${nameChain(structure.chain)}`],
    ['File SHA-256', structure.file_sha256],
    ['Standard SMILES', compound.standard_smiles],
  ]
  return (
    <>
      <Stack component="dl" className={classes.facts} gap={4} mb="sm">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </Stack>
      <p>
        <Button variant="default" onClick={save}>
          Download receipt
        </Button>
      </p>
      <p className="quiet">
        Anyone with this model can reproduce the value exactly:{' '}
        <code className="mono">npm run verify-receipt -- receipt.json</code>
      </p>
    </>
  )
}
