/** For a returning user: take what is stored already. Counts as this box's success. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { compoundListQuery } from './compound-list-query.ts'
import { targetListQuery } from './target-list-query.ts'
import { Done } from './done.tsx'
import type { UploadKind } from './upload-kinds.ts'

type Props = { kind: UploadKind; isUsed: boolean; onUse: () => void }

export function ExistingFiles({ kind, isUsed, onUse }: Props) {
  const isTarget = kind.fileType === 'protein_pdb'
  const targets = useQuery({ ...targetListQuery(), enabled: isTarget })
  const compounds = useQuery({ ...compoundListQuery(), enabled: !isTarget })
  const count = isTarget
    ? countFiles(targets.data?.targets, targets.data?.protein_names)
    : countFiles(compounds.data?.compounds, compounds.data?.compound_names)

  if (count === 0) return null
  if (isUsed) return <Done text="Your existing files are used" />
  return (
    <Button variant="subtle" onClick={onUse}>
      {`Use my ${count} existing file${count === 1 ? '' : 's'}`}
    </Button>
  )
}

type Entry = { filename: string; file_id?: string | undefined }

/** Several molecules may come from one file; a list of bare names counts as one file each. */
function countFiles(entries: Entry[] = [], names: string[] = []): number {
  if (entries.length < names.length) return names.length
  return new Set(entries.map(({ file_id, filename }) => file_id ?? filename)).size
}
