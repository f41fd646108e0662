/** A new API key, shown this once: Copy it, or be asked before anything takes it away. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { LeaveGuard } from '#web/ui/leave-guard.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'
import classes from './new-key.module.css'

const notCopied = {
  title: 'The new key has not been copied',
  text: 'It cannot be shown again. Without a copy you would have to generate another one.',
}

type Props = {
  apiKey: string
  isCopied: boolean
  /** By the button, or by hand. */
  onCopied: () => void
  onDone: () => void
  /** Something is about to take the key away. */
  question: { lose: () => void; keep: () => void } | null
}

export function NewKey({ apiKey, isCopied, onCopied, onDone, question }: Props) {
  const [isRefused, setIsRefused] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(apiKey)
      setIsRefused(false)
      onCopied()
    } catch {
      setIsRefused(true)
    }
  }

  return (
    <div className={classes.note}>
      <Icon name="info" />
      <output>
        <strong>New key, shown once</strong>
        <span className="small quiet">Copy it now. It cannot be shown again.</span>
      </output>
      <div className={classes.once}>
        <code onCopy={onCopied}>{apiKey}</code>
        <div className={classes.actions}>
          <Button leftSection={<ToolIcon name="copy" />} onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
      <output className={isRefused && !isCopied ? 'small' : 'visually-hidden'}>
        {isCopied && 'Key copied'}
        {isRefused && !isCopied && 'The browser did not allow it. Select the key and copy it.'}
      </output>
      {!isCopied && (
        <LeaveGuard
          isFree={({ pathname, state }) =>
            pathname === '/admin/login' || state?.deleted !== undefined
          }
          {...notCopied}
          leave="Leave without it"
        />
      )}
      {question !== null && (
        <ConfirmDialog
          {...notCopied}
          confirm="Go on without it"
          cancel="Keep it"
          isDangerous
          onConfirm={question.lose}
          onClose={question.keep}
        />
      )}
    </div>
  )
}
