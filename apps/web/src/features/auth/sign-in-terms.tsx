/** The small print under the button: what signing in does, and whether it is the development stand-in. */
import type { ConnectionConfig } from '@pkdex/contract'
import { Note } from '#web/ui/note.tsx'
import classes from './sign-in.module.css'

type Props = { config: ConnectionConfig | undefined; isFallback: boolean }

export function SignInTerms({ config, isFallback }: Props) {
  return (
    <>
      <output className={classes.terms}>
        {isFallback && 'If no Google window opened, use the button above: it is Google’s own. '}
        {config?.is_stand_in === true && (
          <>
            <strong>Development sign-in.</strong> A stand-in for Google inside this server: no
            Google account is used, any e-mail address will do.{' '}
          </>
        )}
        {config !== undefined && 'Signing in creates an account on first use.'}
      </output>
      {config?.is_stand_in_exposed === true && (
        <Note tone="warning" title="Anyone who reaches this address can sign in as anyone">
          The development sign-in is switched on beyond this machine. Use it on a closed network
          only.
        </Note>
      )}
    </>
  )
}
