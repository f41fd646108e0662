/** A secret that is shown only once, with a button that copies it. */
import { Flex } from '#web/ui/layout.ts'
import { type ReactNode, useState } from 'react'
import { Button } from './button.ts'
import { Icon } from './icon.tsx'
import classes from './shown-once.module.css'
import { ToolIcon } from './tool-icon.tsx'

type Props = {
  secret: string
  /** What the secret is, as the beginning of a sentence. */
  what?: string
  isCopied: boolean
  /** The user copied it, with the button or by hand. */
  onCopied: () => void
  onDone: () => void
  children?: ReactNode
}

export function ShownOnce({ secret, what = 'New key', ...rest }: Props) {
  const { isCopied, onCopied, onDone, children } = rest
  const [isRefused, setIsRefused] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
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
        <strong>{what} (shown only once)</strong>
        <span className="small quiet">Copy it now. It cannot be shown again.</span>
      </output>
      <Flex className={classes.once} wrap="wrap" gap="xs" align="center" mt="xs">
        <code onCopy={onCopied}>{secret}</code>
        <Flex gap="var(--s-1)">
          <Button leftSection={<ToolIcon name="copy" />} onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Done
          </Button>
        </Flex>
      </Flex>
      <output className={isRefused && !isCopied ? 'small' : 'visually-hidden'}>
        {isCopied && `${what}: copied`}
        {isRefused && !isCopied && 'The browser blocked copying. Select it and copy it.'}
      </output>
      {children}
    </div>
  )
}
