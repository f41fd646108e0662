/** `/prompt`: two boxes to fill; when both have succeeded, the results page opens. */
import type { UploadAnswer } from '@pkdex/contract'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { UploadBox } from '#web/features/files/upload-box.tsx'
import { compoundUploads, targetUploads } from '#web/features/files/upload-kinds.ts'
import { isWorthTelling, remarksOf } from '#web/features/files/upload-remarks.tsx'
import { PageFrame } from '../page-frame.tsx'
import classes from './prompt-page.module.css'
import { TargetThumbnail } from './target-thumbnail.tsx'

type Taken = { targets: UploadAnswer[] | null; compounds: UploadAnswer[] | null }

export function PromptPage() {
  const navigate = useNavigate()
  const taken = useRef<Taken>({ targets: null, compounds: null })

  const report = (part: Partial<Taken>) => {
    taken.current = { ...taken.current, ...part }
    const { targets, compounds } = taken.current
    if (targets === null || compounds === null) return
    // The boxes are gone on the next page; what was not taken is told there.
    const remarks = [...targets, ...compounds].map(remarksOf).filter(isWorthTelling)
    void navigate('/results', { state: { remarks } })
  }

  return (
    <PageFrame title="Upload">
      <div className={classes.page}>
        <h1>Upload targets and drugs</h1>
        <p className="quiet">When both boxes have a file, the results page opens.</p>
        <div className={classes.two}>
          <UploadBox
            kind={targetUploads}
            onSuccess={(targets) => report({ targets })}
            pictureOf={(name) => <TargetThumbnail name={name} />}
          />
          <UploadBox
            kind={compoundUploads}
            onSuccess={(compounds) => report({ compounds })}
            pictureOf={() => null}
          />
        </div>
      </div>
    </PageFrame>
  )
}
