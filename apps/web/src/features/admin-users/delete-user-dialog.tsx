/** Asks before a user is deleted, deletes, and says what went wrong where it did. */
import { type AdminUser, deleteUser, messages } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { useRefreshAdmin } from './users-query.ts'

type Props = { user: AdminUser; onClose: () => void; onDeleted: (email: string) => void }

export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const refresh = useRefreshAdmin()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callAdmin(deleteUser, { params: { userId: user._id } }),
    onSuccess() {
      onDeleted(user.email)
      onClose()
      refresh('users', 'database', 'audit')
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${user.email}`}
      text={messages.admin.confirmDelete}
      confirm="Delete"
      isDangerous
      isBusy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {error !== null && (
        <Note tone="failure" title="Failed to delete user">
          {adminReason(error)}
        </Note>
      )}
    </ConfirmDialog>
  )
}
