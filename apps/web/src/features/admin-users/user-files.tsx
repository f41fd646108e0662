/** The files a user has uploaded, newest first. */
import { FileType, listUserFiles, type UserFile } from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { formatBytes } from '#web/lib/format.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
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
      <PagedTable
        query={useQuery(filesQuery(userId, page))}
        what="files"
        failure="Failed to load files"
        reasonOf={adminReason}
        lines={3}
        label="Files"
        columns={columns}
        keyOf={({ id }) => id}
        isInset
        pageOf={({ files, total }) => ({ rows: files, total })}
        paging={{ page, pageSize: PAGE_SIZE, hrefOf }}
        empty={<p className="quiet">No files yet.</p>}
      />
    </Panel>
  )
}

const columns: Column<File>[] = [
  { title: 'Filename', cellClass: table.wide, cell: ({ filename }) => filename },
  { title: 'Type', cellClass: table.once, cell: ({ fileType }) => nameType(fileType) },
  { title: 'Size', isNumber: true, cell: ({ size }) => formatBytes(size) },
  {
    title: 'Uploaded',
    label: true,
    cellClass: `${table.once} ${table.wide}`,
    cell: ({ uploadDate }) => <Day at={uploadDate} />,
  },
]

/** Named as on the users' pages; an unknown type is shown as sent. */
function nameType(fileType: string): string {
  const known = FileType.safeParse(fileType)
  return known.success ? typeNames[known.data] : fileType
}

const typeNames: Record<FileType, string> = { protein_pdb: 'Target', drug_smiles: 'Compounds' }
