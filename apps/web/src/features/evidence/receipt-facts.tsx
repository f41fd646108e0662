/** The receipt of the number: what it was computed from and with, to read and to keep. */
import type { Receipt } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
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
      failure="The receipt could not be read"
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
    ['Hash of the model', model.card_sha256],
    ['Features', `version ${features.version}, ${features.hash}`],
    ['Structure', `${structure.filename}, chain ${structure.chain}`],
    ['Hash of the file', structure.file_sha256],
    ['Compound', compound.standard_smiles],
  ]
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Button variant="default" onClick={save}>
          Download receipt
        </Button>
      </p>
      <p className="quiet">
        Whoever has the same model repeats the number to the last digit:{' '}
        <code className="mono">npm run verify-receipt -- receipt.json</code>
      </p>
    </>
  )
}
