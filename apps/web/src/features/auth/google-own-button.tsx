/** Google's own button, in the place and size of ours. Its text is the same: Sign in with Google. */
import { useEffect, useRef } from 'react'
import type { GoogleIdentity } from './google-identity.ts'
import classes from './sign-in.module.css'

export function GoogleOwnButton({ identity }: { identity: GoogleIdentity }) {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (place.current === null) return
    place.current.replaceChildren()
    identity.accounts.renderButton?.(place.current, {
      type: 'standard',
      theme: 'outline',
      size: 'large',
      text: 'signin_with',
      locale: 'en',
      width: place.current.clientWidth,
    })
  }, [identity])

  return <div ref={place} className={classes.ownButton} />
}
