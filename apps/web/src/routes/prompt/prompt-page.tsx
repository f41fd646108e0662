/** `/prompt`: two boxes to fill; when both have succeeded, the results page opens. */
import { Box } from '#web/ui/layout.ts'
import type { UploadAnswer } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { leaveSession } from '#web/features/auth/session.ts'
import { UploadBox } from '#web/features/files/upload-box.tsx'
import { compoundUploads, targetUploads } from '#web/features/files/upload-kinds.ts'
import { isWorthTelling, noticeOf } from '#web/features/files/upload-notice.tsx'
import { pictureQuery } from '#web/features/previews/picture-query.ts'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './prompt-page.module.css'

type Taken = { targets: UploadAnswer[] | null; compounds: UploadAnswer[] | null }

export function PromptPage() {
  const navigate = useNavigate()
  const taken = useRef<Taken>({ targets: null, compounds: null })

  const report = (part: Partial<Taken>) => {
    taken.current = { ...taken.current, ...part }
    const { targets, compounds } = taken.current
    if (targets === null || compounds === null) return
    // The results page shows what was skipped.
    const notices = [...targets, ...compounds].map(noticeOf).filter(isWorthTelling)
    void navigate('/results', { state: { notices } })
  }

  const importValues = (table: File) => void navigate('/measurements', { state: { table } })

  return (
    <>
      <title>Upload · pKdex</title>
      <div className="page">
        <h1>Upload targets and compounds</h1>
        <Box className="quiet" component="p" mt={6}>
          Add at least one file to each box to continue.
        </Box>
        <div className={classes.two}>
          <UploadBox
            kind={targetUploads}
            onSuccess={(targets) => report({ targets })}
            pictureOf={(name) => <TargetThumbnail name={name} />}
            onReturnToLogin={leaveSession}
            onValues={importValues}
            other={compoundUploads}
            onUseOther={() => report({ compounds: [] })}
          />
          <UploadBox
            kind={compoundUploads}
            onSuccess={(compounds) => report({ compounds })}
            pictureOf={() => null}
            onReturnToLogin={leaveSession}
            onValues={importValues}
            other={targetUploads}
            onUseOther={() => report({ targets: [] })}
          />
        </div>
      </div>
    </>
  )
}

/** A small picture of a target. Without one its place stays empty, because the report contains everything. */
function TargetThumbnail({ name }: { name: string }) {
  const theme = useColorScheme()
  const { data } = useQuery(pictureQuery('protein', name, theme))
  return (
    <div className={classes.place}>{data && <img src={data.address} alt={data.alt ?? ''} />}</div>
  )
}
