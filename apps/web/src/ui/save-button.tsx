/** A button that saves a file, and shows why it could not. */
import type { ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Button } from './button.ts'
import { ToolIcon } from './tool-icon.tsx'

type Props = Pick<ButtonProps, 'variant' | 'color'> & {
  save: () => Promise<unknown>
  reasonOf: (error: unknown) => string
  children: ReactNode
}

export function SaveButton({ save, reasonOf, children, ...look }: Props) {
  const [isSaving, setIsSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  async function start() {
    setIsSaving(true)
    setFailure(null)
    try {
      await save()
    } catch (error) {
      setFailure(reasonOf(error))
    } finally {
      setIsSaving(false)
    }
  }
  return (
    <>
      {failure !== null && <p role="alert">{failure}</p>}
      <Button
        variant="default"
        leftSection={<ToolIcon name="download" />}
        loading={isSaving}
        onClick={() => void start()}
        {...look}
      >
        {children}
      </Button>
    </>
  )
}
