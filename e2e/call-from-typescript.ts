import { API_KEY_HEADER, ErrorBody, predictPairs } from '@pkdex/contract'

const { URL: url = 'http://127.0.0.1:8000', KEY: key = '' } = process.env

const answer = await fetch(url + predictPairs.path, {
  method: predictPairs.method,
  headers: { [API_KEY_HEADER]: key, 'Content-Type': 'application/json' },
  // Checked before it is sent, with the server's own schema.
  body: JSON.stringify(predictPairs.body.parse({ target: '1hpv', smiles: ['CCO'] })),
})
const json: unknown = await answer.json()
if (!answer.ok) throw new Error(ErrorBody.parse(json).message)

for (const { smiles, best_kd, best_interval, reason } of predictPairs.answer.parse(json)
  .predictions) {
  const ends =
    best_interval && `(${best_interval.lower.toFixed(2)} to ${best_interval.upper.toFixed(2)})`
  console.log(`${smiles}: ${best_kd === null ? reason : `pKd ${best_kd.toFixed(2)} ${ends}`}`)
}
