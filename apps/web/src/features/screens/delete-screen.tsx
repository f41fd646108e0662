/** Deletes a finished screen with its predictions, after confirmation. */
import { cancelScreen, type Screen } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { titleOfScreen } from './screen-words.tsx'
import { call, messageOf } from '#web/lib/api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'

export function DeleteScreen({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return (
    <CallDialog
      title="Delete screen"
      text={`${titleOfScreen(screen)}: ${largeCountOf(screen.total, 'predicted pair')} ${screen.total === 1 ? 'is' : 'are'} deleted${screen.follow_up_of === null ? ', and everything predicted for its series' : ''}. Predicting these pairs again costs credits, unless another screen or a single prediction has them. Targets, compounds and measured values are kept. This cannot be undone.`}
      confirm="Delete"
      isDangerous
      call={() => call(cancelScreen, { params: { id: screen.id }, query: { forever: 'true' } })}
      reasonOf={(error) => messageOf(error, 'The screen could not be deleted.')}
      onDone={() => {
        client.removeQueries({ queryKey: ['screen', screen.id] })
        void navigate('/screens', { replace: true })
      }}
      onClose={onClose}
    />
  )
}
