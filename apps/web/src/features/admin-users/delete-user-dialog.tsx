/** Asks before a user is deleted, deletes, and shows errors. */
import { type AdminUser, deleteUser, messages, previewUserDeletion } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { describeContents } from '#web/lib/deletion-preview.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { useRefreshAdmin } from './users-query.ts'

type Props = { user: AdminUser; onClose: () => void; onDeleted: (email: string) => void }

export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const refresh = useRefreshAdmin()
  const params = { userId: user._id }
  const { data: preview } = useQuery({
    queryKey: ['deletion of user', user._id],
    queryFn: ({ signal }) => callAdmin(previewUserDeletion, { params, signal }),
    gcTime: 0,
    retry: false,
  })
  const contents = preview === undefined ? '' : describeContents(preview)
  return (
    <CallDialog
      title={`Delete ${user.email}`}
      text={messages.admin.confirmDelete}
      confirm="Delete"
      isDangerous
      call={() => callAdmin(deleteUser, { params })}
      failure="Failed to delete user"
      reasonOf={adminReason}
      onDone={() => {
        onDeleted(user.email)
        refresh('users', 'database', 'audit')
      }}
      onClose={onClose}
    >
      {contents !== '' && <p>{contents} will be deleted.</p>}
    </CallDialog>
  )
}
