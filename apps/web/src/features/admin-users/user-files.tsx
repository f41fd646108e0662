/** The files a user has uploaded, newest first. */
import { FileType, listUserFiles, type UserFile } from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { formatBytes } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { usePage } from '#web/lib/use-page.ts'

type File = z.infer<typeof UserFile>

const PAGE_SIZE = 10

function filesQuery(userId: string, page: number) {
  return queryOptions({
    queryKey: ['admin', 'user', userId, 'files', page],
    queryFn: async ({ signal }) => {
      const query = { page, page_size: PAGE_SIZE }
      const { answer, total } = await callAdminPage(listUserFiles, {
        params: { userId },
        query,
        signal,
      })
      return { files: answer.files, total: total ?? answer.files.length }
    },
    placeholderData: keepPreviousData,
  })
}

export function UserFiles({ userId }: { userId: string }) {
  const { page, hrefOf } = usePage('files')
  return (
    <Panel title="Files">
      <Loaded
        query={useQuery(filesQuery(userId, page))}
        what="files"
        failure="Failed to load files"
        reasonOf={adminReason}
        lines={3}
      >
        {({ files, total }) =>
          total === 0 ? (
            <p className="quiet">No files yet.</p>
          ) : (
            <>
              <FileTable files={files} />
              {(total > PAGE_SIZE || page > 1) && (
                <Pager
                  link={Link}
                  label="Pages of the files"
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={total}
                  hrefOf={hrefOf}
                />
              )}
            </>
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
              <Day at={uploadDate} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Named as on the users' pages; an unknown type is shown as sent. */
function nameType(fileType: string): string {
  const known = FileType.safeParse(fileType)
  return known.success ? typeNames[known.data] : fileType
}

const typeNames: Record<FileType, string> = { protein_pdb: 'Target', drug_smiles: 'Compounds' }
