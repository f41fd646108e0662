/** Creates an invitation link, for a person whose email address no provider vouches for. */
import { createInvitation, INVITATION_DAYS } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShownOnce } from '#web/ui/shown-once.tsx'
import { useRefreshAdmin } from './users-query.ts'

export function InvitationLink({ userId }: { userId: string }) {
  const refresh = useRefreshAdmin()
  const [copied, setCopied] = useState<string | null>(null)
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: () => callAdmin(createInvitation, { params: { userId } }),
    onSuccess: () => refresh('audit'),
    gcTime: 0,
  })
  const link = data && `${location.origin}/#invitation=${data.code}`
  return (
    <Panel
      title="Invitation link"
      action={
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          Create link
        </Button>
      }
    >
      {error !== null && !isPending && (
        <Note tone="failure" title="Failed to create the link">
          {adminReason(error)}
        </Note>
      )}
      {link !== undefined && (
        <ShownOnce
          secret={link}
          what="Invitation link"
          isCopied={copied === link}
          onCopied={() => setCopied(link)}
          onDone={reset}
        />
      )}
      <p className="small quiet">
        Signs this user in with any account, once, within {INVITATION_DAYS} days. A new link
        replaces the earlier one.
      </p>
    </Panel>
  )
}
