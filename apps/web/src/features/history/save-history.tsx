/** Saves every prediction that matches the search as one table. */
import { downloadHistory } from '@pkdex/contract'
import { openCall } from '#web/lib/api.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { SaveButton } from '#web/ui/save-button.tsx'

export function SaveHistory({ search }: { search: string }) {
  const save = () => saveAnswer(openCall(downloadHistory, { query: { search } }), 'history.csv')
  return (
    <SaveButton save={save} reasonOf={savingReason}>
      CSV
    </SaveButton>
  )
}
