/** Uploading...: which file, how far, and a way to stop. */
import { Button } from '@mantine/core'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './upload-box.module.css'
import type { UploadProgress } from './upload-files.ts'

type Props = { progress: UploadProgress; onCancel: () => void }

export function Uploading({ progress, onCancel }: Props) {
  const { filename, number, total, fraction } = progress
  return (
    <div className={classes.uploading}>
      <Spinner text="Uploading..." />
      <progress value={fraction} max={1} aria-label="Upload" />
      <p className="quiet small">{total === 1 ? filename : `${number} of ${total}: ${filename}`}</p>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
