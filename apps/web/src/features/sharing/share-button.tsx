/** Shares a screen with named users or by link, and shows with whom it is shared; viewers see who shares it. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import { endShare, type Screen, type Share, shareScreen } from '@pkdex/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { call, loadingReason, messageOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox, Field, Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { ticked, useForm } from '#web/ui/use-form.ts'
import { sharesQuery } from './share-queries.ts'
import classes from './share-button.module.css'

export function ShareButton({ screen }: { screen: Pick<Screen, 'id'> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen && (
        <Dialog label="Share" onClose={() => setOpen(false)}>
          <Sharing id={screen.id} />
        </Dialog>
      )}
    </>
  )
}

function useChange<Asked>(id: string, ask: (asked: Asked) => Promise<{ shares: Share[] }>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ask,
    onSuccess: (shares) => {
      client.setQueryData(sharesQuery(id).queryKey, shares)
      void readAgain(client, { queryKey: ['screen', id], exact: true })
    },
  })
}

function Sharing({ id }: { id: string }) {
  const shares = useQuery(sharesQuery(id))
  const end = useChange(id, (shareId: string) => call(endShare, { params: { id, shareId } }))
  return (
    <div className="stack">
      <p className="quiet">
        Viewers see this screen, its series, report and make lists, and your measured values on its
        targets. They change nothing and pay nothing.
      </p>
      <ShareForm id={id} />
      <Loaded
        query={shares}
        what="the shares"
        failure="Failed to load the shares"
        reasonOf={loadingReason}
        lines={2}
      >
        {({ shares: all }) => (
          <Stack component="ul" gap={4} aria-label="Shared with">
            {all.length === 0 && <li className="quiet">Shared with nobody</li>}
            {all.map((share) => (
              <Flex
                component="li"
                key={share.id}
                className="breaks"
                gap="xs"
                align="center"
                justify="space-between"
              >
                <span>
                  {share.email ?? 'Everyone with the link'}
                  {!share.exports && <small className="quiet"> View only</small>}
                  {share.email === null && <LinkViewers names={share.viewers} />}
                </span>
                <Button
                  variant="subtle"
                  flex="none"
                  aria-label={`End share with ${share.email ?? 'everyone'}`}
                  loading={end.isPending && end.variables === share.id}
                  onClick={() => end.mutate(share.id)}
                >
                  End
                </Button>
              </Flex>
            ))}
          </Stack>
        )}
      </Loaded>
      {end.error && <Note tone="failure">{messageOf(end.error, 'The share was not ended.')}</Note>}
      <CopyLink />
    </div>
  )
}

function LinkViewers({ names }: { names: string[] }) {
  const who = names.length === 0 ? 'Nobody yet' : names.join(', ')
  return (
    <Box component="small" className="quiet" display="block">
      Opened by: {who}
    </Box>
  )
}

const WITH = [
  { value: 'user', label: 'One user' },
  { value: 'link', label: 'Everyone with the link' },
] as const

/** Without an address, the screen is shared by link. */
const ShareWith = z.object({
  email: z.string().trim().pipe(shareScreen.body.shape.email.unwrap()).nullable().default(null),
  exports: ticked,
})

const says = { email: 'Enter a valid email address.' }

function ShareForm({ id }: { id: string }) {
  const [kind, setKind] = useState<'user' | 'link'>('user')
  const [email, setEmail] = useState('')
  const share = useChange(id, (body: z.output<typeof ShareWith>) =>
    call(shareScreen, { params: { id }, body }),
  )
  const form = useForm(ShareWith, {
    says,
    send: (body) => share.mutate(body, { onSuccess: () => setEmail('') }),
    isBusy: share.isPending,
  })
  return (
    <form className={classes.form} {...form.props}>
      <Select label="With" value={kind} options={WITH} onChange={setKind} />
      {kind === 'user' && (
        <Field
          label="Email"
          type="email"
          autoComplete="off"
          hint="The address of an account on this server."
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          {...form.field('email')}
        />
      )}
      <Checkbox name="exports" defaultChecked>
        Downloads and copies
      </Checkbox>
      <Button type="submit" loading={share.isPending}>
        Share
      </Button>
      {share.error && (
        <Note tone="failure" title="The screen was not shared">
          {messageOf(share.error, 'Try again.')}
        </Note>
      )}
    </form>
  )
}

function CopyLink() {
  const copy = useMutation({
    mutationFn: () => navigator.clipboard.writeText(location.origin + location.pathname),
  })
  return (
    <div className="wraps">
      <Button variant="default" onClick={() => copy.mutate()}>
        Copy link
      </Button>
      <output className="small">
        {copy.isSuccess && 'Copied'}
        {copy.isError && 'The browser blocked copying.'}
      </output>
    </div>
  )
}
