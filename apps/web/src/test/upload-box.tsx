/** One box of the upload page for component tests, and the ways to add files to it. */
import { act, fireEvent, screen } from '@testing-library/react'
import { vi } from 'vitest'
import { leaveSession } from '#web/features/auth/session.ts'
import { UploadBox } from '#web/features/files/upload-box.tsx'
import {
  compoundUploads,
  targetUploads,
  type UploadKind,
} from '#web/features/files/upload-kinds.ts'
import { type Call, serveCalls } from './calls.ts'
import { compoundNamed, targetNamed, uploadAnswer } from './files.ts'
import { renderScreen } from './screen.tsx'

export const UPLOAD = 'POST /file_manager/upload'

export function openBox(kind: UploadKind, handlers: Parameters<typeof serveCalls>[0] = {}) {
  const report =
    kind === targetUploads
      ? { targets: [targetNamed('1iep')] }
      : { compounds: [compoundNamed('acetate')] }
  const calls = serveCalls({
    'GET /dta/get_protein_names': () => Response.json({ protein_names: [] }),
    'GET /dta/get_compound_names': () => Response.json({ compound_names: [] }),
    'PUT /file_manager/targets/1iep/chain': () => Response.json(targetNamed('1iep', 'B')),
    [UPLOAD]: () => Response.json(uploadAnswer(report)),
    ...handlers,
  })
  const onSuccess = vi.fn<() => void>()
  const { unmount } = renderScreen(
    <UploadBox
      kind={kind}
      onSuccess={onSuccess}
      pictureOf={() => null}
      other={kind === targetUploads ? compoundUploads : targetUploads}
      onUseOther={() => undefined}
      onValues={() => undefined}
      onReturnToLogin={leaveSession}
    />,
  )
  return { calls, onSuccess, unmount }
}

export function theInput(): HTMLInputElement {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('no file input')
  return input
}

/** Like the browser's file picker, which lets a user ignore `accept`. */
export function choose(...names: string[]) {
  fireEvent.change(theInput(), { target: { files: filesNamed(names) } })
}

export async function drop(...names: string[]) {
  const dataTransfer = { files: filesNamed(names), types: ['Files'] }
  await act(async () => fireEvent.drop(screen.getByRole('region'), { dataTransfer }))
}

function filesNamed(names: string[]): File[] {
  return names.map((name) => new File(['content'], name))
}

export function isUpload({ name }: Call): boolean {
  return name === UPLOAD
}

export function nameOf({ body }: Call): string {
  return ((body as FormData).get('file') as File).name
}

export function uploads(calls: Call[]): string[] {
  return calls.filter(isUpload).map(nameOf)
}
