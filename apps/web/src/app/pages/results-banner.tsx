/** What could not be fetched, over the whole width: retry it, or sign in again where the key is refused. */
import { Button } from '@mantine/core'
import { messages } from '@pkdex/contract'
import { isRefused, messageOf } from '#web/lib/api.ts'
import { Note } from '#web/ui/note.tsx'
import styles from './results-banner.module.css'

type Source = { sentence: string; error: Error | null; refetch: () => unknown }

type Props = { sources: Source[]; onReturnToLogin: () => void }

export function ResultsBanner({ sources, onReturnToLogin }: Props) {
  const failed = sources.filter(({ error }) => error !== null)
  const refused = failed.find(({ error }) => isRefused(error))
  if (failed.length === 0) return null
  return (
    <div className={styles.banner}>
      {refused ? (
        <Note
          tone="failure"
          title={messages.results.authenticationErrorTitle}
          action={
            <Button variant="default" onClick={onReturnToLogin}>
              {messages.results.returnToLogin}
            </Button>
          }
        >
          {messageOf(refused.error, messages.prediction.authentication)}
        </Note>
      ) : (
        <Note
          tone="failure"
          title={messages.results.dataErrorTitle}
          action={
            <Button variant="default" onClick={() => failed.forEach(({ refetch }) => refetch())}>
              Retry
            </Button>
          }
        >
          {failed.map(({ sentence }) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Note>
      )}
    </div>
  )
}
