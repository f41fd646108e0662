/**
 * Opens the account chooser. Google does not always show it (no Google session in this browser, closed too often,
 * switched off in the settings) and under FedCM does not say so; then Google's own button, which opens a window
 * and works everywhere, takes the place of ours.
 */
import { messages } from '@pkdex/contract'
import { useEffect, useRef, useState } from 'react'
import type { GoogleIdentity, PromptMoment } from './google-identity.ts'

/** How long a chooser may take to appear before Google's own button stands ready beside it. */
const PATIENCE_MS = 3000

export function usePrompt(identity: GoogleIdentity | undefined) {
  const [failure, setFailure] = useState<string | null>(null)
  const [needsOwnButton, setNeedsOwnButton] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  const open = () => {
    setFailure(null)
    const fallBack = () => setNeedsOwnButton(hasOwnButton(identity))
    try {
      // A service without `prompt` throws here as well.
      identity?.accounts.prompt((moment) => isOver(moment) && fallBack())
    } catch {
      return setFailure(messages.login.googleNoAccess)
    }
    clearTimeout(timer.current)
    timer.current = setTimeout(fallBack, PATIENCE_MS)
  }

  return { open, failure, needsOwnButton }
}

/** The stand-in always shows its chooser; closing it is no reason to offer another button. */
function hasOwnButton(identity: GoogleIdentity | undefined): boolean {
  return identity?.config.is_stand_in === false && identity.accounts.renderButton !== undefined
}

function isOver(moment: PromptMoment): boolean {
  return moment.isNotDisplayed?.() === true || moment.isSkippedMoment?.() === true
}
