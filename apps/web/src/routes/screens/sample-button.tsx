/** Uploads the sample files like any others, and opens New screen with all of them selected. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useNavigate } from 'react-router'
import { compoundListQuery, targetListQuery } from '#web/features/files/file-lists.ts'
import { uploadSamples } from '#web/features/files/upload-files.ts'
import { compoundUploads, targetUploads } from '#web/features/files/upload-kinds.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import classes from './screens.module.css'

export function SampleButton() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const upload = useMutation({
    mutationFn: storeSamples,
    onSuccess: async (chosen) => {
      await Promise.all([
        readAgain(client, targetListQuery()),
        readAgain(client, compoundListQuery()),
      ])
      await navigate('/screens/new', { state: chosen })
    },
  })
  return (
    <>
      {upload.error && <Note tone="failure">{upload.error.message}</Note>}
      <Button
        variant="default"
        classNames={{ root: classes.sample, label: classes.sampleLabel }}
        loading={upload.isPending}
        onClick={() => upload.mutate()}
      >
        Screen the sample files
      </Button>
    </>
  )
}

/** Returns the names of the samples in the lists. */
async function storeSamples(): Promise<{ targets: string[]; compounds: string[] }> {
  const { signal } = new AbortController()
  const [targets, compounds] = await Promise.all([
    uploadSamples(targetUploads, () => undefined, signal),
    uploadSamples(compoundUploads, () => undefined, signal),
  ])
  const [failure] = [...targets.failures, ...compounds.failures]
  if (failure !== undefined) throw new Error(failure.message)
  return {
    targets: targets.answers.flatMap(({ names }) => names),
    compounds: compounds.answers.flatMap(({ names }) => names),
  }
}
