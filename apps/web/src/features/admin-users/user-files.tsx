/** The files a user has uploaded, newest first. */
import { FileType, listUserFiles, type UserFile } from '@pkdex/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { formatBytes, formatDay, formatMinute } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'

type File = z.infer<typeof UserFile>

function filesQuery(userId: string) {
  return queryOptions({
    queryKey: ['admin', 'user', userId, 'files'],
    queryFn: ({ signal }) => callAdmin(listUserFiles, { params: { userId }, signal }),
  })
}

export function UserFiles({ userId }: { userId: string }) {
  return (
    <Panel title="Files">
      <Loaded
        query={useQuery(filesQuery(userId))}
        what="files"
        failure="Failed to load files"
        reasonOf={adminReason}
        lines={3}
      >
        {({ files }) =>
          files.length === 0 ? (
            <p className="quiet">This user has not uploaded anything yet.</p>
          ) : (
            <FileTable files={files} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function FileTable({ files }: { files: File[] }) {
  return (
    <table className={`${table.table} ${table.inset} ${table.stacks}`} aria-label="Files">
      <thead>
        <tr>
          <th scope="col">Filename</th>
          <th scope="col">Type</th>
          <th scope="col" className={table.number}>
            Size
          </th>
          <th scope="col">Uploaded</th>
        </tr>
      </thead>
      <tbody>
        {files.map(({ id, filename, fileType, size, uploadDate }) => (
          <tr key={id}>
            <td className={table.wide}>{filename}</td>
            <td className={table.once}>{nameType(fileType)}</td>
            <td className={table.number}>{formatBytes(size)}</td>
            <td className={`${table.once} ${table.wide}`} data-label="Uploaded">
              <time dateTime={uploadDate} title={formatMinute(uploadDate)}>
                {formatDay(uploadDate)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** As the screens of the users call it; a type that this page does not know is shown as it is. */
function nameType(fileType: string): string {
  const known = FileType.safeParse(fileType)
  return known.success ? typeNames[known.data] : fileType
}

const typeNames: Record<FileType, string> = { protein_pdb: 'Target', drug_smiles: 'Compounds' }
