/** Copies the number as it is shown. */
import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

export function CopyValue({ text }: { text: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy value'}
      </Button>
      <output className={error ? 'small' : 'visually-hidden'}>
        {error ? 'The browser did not allow it. Select the number and copy it.' : ''}
        {copied ? `${text} copied` : ''}
      </output>
    </>
  )
}
