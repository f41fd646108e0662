/** The panel next to a SAR table: the selected compound or gap, and the make list. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import type { ListedNumber } from '@pkdex/contract'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { z } from 'zod'
import { messageOf } from '#web/lib/api.ts'
import { fileNameOf, saveFile } from '#web/lib/save-file.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { focusNeighbour } from '#web/ui/focus-neighbour.ts'
import { Icon } from '#web/ui/icon.tsx'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { TagLinks, TagsField, TypedTags } from '#web/ui/tags.tsx'
import { type CellView, type Number95, rangeOf, wordRange, wordValue } from './cells.ts'
import { listedNumber, type Lists } from './make-list.ts'
import classes from './series-side.module.css'

type SelectedProps = {
  cell: CellView
  isListed: boolean
  isPredicting: boolean
  onList: () => void
  onPredict: () => void
}

export function SelectedCell({ cell, isListed, isPredicting, ...on }: SelectedProps) {
  const { kind, members, value, interval, smiles } = cell
  return (
    <section className={`sheet wraps ${classes.panel}`} aria-label="Selected">
      <p className="quiet">{kindWords[kind]}</p>
      {members.length > 0 && (
        <h2 className="breaks">{members.map(({ name }) => name).join(', ')}</h2>
      )}
      {members.length < 2 && <Drawing smiles={smiles} />}
      {members.length > 1 && <Members members={members} />}
      {value === null ? (
        <OwnerOnly>
          <Button variant="default" fullWidth loading={isPredicting} onClick={on.onPredict}>
            Predict this gap
          </Button>
        </OwnerOnly>
      ) : (
        <Flex component="p" gap="xs" align="baseline">
          <Box component="b" fz="var(--t-2xl)">
            {wordRange(cell)}
          </Box>
          {interval !== null && cell.range === null && <span>{rangeOf(interval, ' to ')}</span>}
        </Flex>
      )}
      <OwnerOnly>
        <Button variant={isListed ? 'default' : 'filled'} fullWidth onClick={on.onList}>
          {isListed ? 'Remove from make list' : 'Add to make list'}
        </Button>
      </OwnerOnly>
    </section>
  )
}

/** Each compound of a cell with its own value and drawing: they may differ in stereochemistry or at a third position. */
function Members({ members }: Pick<CellView, 'members'>) {
  return (
    <Stack component="ul" className={classes.list} gap="sm">
      {members.map((member) => (
        <li key={member.name}>
          <Drawing smiles={member.smiles} />
          <span>
            {member.name} <b>{wordValue(member)}</b>
          </span>
        </li>
      ))}
    </Stack>
  )
}

const kindWords = { measured: 'Measured', predicted: 'Predicted', gap: 'Gap: not made yet' }

type MakeListProps = {
  list: string[]
  /** What each molecule was predicted at when it was added. */
  addedWith: (ListedNumber | null)[]
  /** Whether it was loaded. */
  isKnown: boolean
  name: string
  tags: string[]
  rename: Lists['rename']
  cellOf: (smiles: string) => Number95 | undefined
  onRemove: (smiles: string) => void
}

type Listed = { smiles: string; added: ListedNumber | null; now: ListedNumber | null }

export function MakeList({ list, addedWith, isKnown, cellOf, onRemove, ...named }: MakeListProps) {
  const { name, tags } = named
  const [isRenaming, setIsRenaming] = useState(false)
  const molecules = list.map((smiles, at) => {
    return { smiles, added: addedWith[at] ?? null, now: listedNumber(cellOf(smiles)) }
  })
  return (
    <section className={`sheet wraps ${classes.panel}`} aria-label="Make list">
      <Flex gap="xs" align="baseline" justify="space-between">
        <h2 className="breaks">
          {name} {isKnown && <span className="quiet">{list.length}</span>}
        </h2>
        {isKnown && (
          <OwnerOnly>
            <Button variant="subtle" onClick={() => setIsRenaming(true)}>
              Rename
            </Button>
          </OwnerOnly>
        )}
      </Flex>
      <TagLinks tags={tags} list="/series" />
      {isKnown && list.length === 0 && (
        <p className="quiet">Empty. Add gaps of the SAR table, suggestions or diverse compounds.</p>
      )}
      <Stack component="ul" className={classes.list} gap="sm">
        {molecules.map((molecule) => (
          <li key={molecule.smiles}>
            <Drawing smiles={molecule.smiles} />
            <ListedValue {...molecule} />
            <OwnerOnly>
              <UnstyledButton
                aria-label={`Remove ${molecule.smiles}`}
                onClick={({ currentTarget }) => {
                  focusNeighbour(currentTarget)
                  onRemove(molecule.smiles)
                }}
              >
                <Icon name="close" />
              </UnstyledButton>
            </OwnerOnly>
          </li>
        ))}
      </Stack>
      {list.length > 0 && (
        <Button variant="default" fullWidth onClick={() => saveList(name, molecules)}>
          Export list
        </Button>
      )}
      {isRenaming && <RenameMakeList {...named} onClose={() => setIsRenaming(false)} />}
    </section>
  )
}

type RenameMakeListProps = Pick<MakeListProps, 'name' | 'tags' | 'rename'> & { onClose: () => void }

const MakeNames = z.object({ name: z.string(), tags: TypedTags })

function RenameMakeList({ name, tags, rename, onClose }: RenameMakeListProps) {
  return (
    <CallDialog
      title={`Rename ${name}`}
      text="Its file carries the name."
      confirm="Rename"
      failure="The list was not renamed"
      schema={MakeNames}
      call={({ name: wanted, tags: make_tags }) =>
        // A name that was only suggested is stored once it is changed.
        rename({ make_tags, ...(wanted !== name && { make_name: wanted }) })
      }
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={onClose}
      onClose={onClose}
    >
      {(field) => (
        <>
          <Field label="New name" defaultValue={name} {...field('name')} />
          <TagsField tags={tags} {...field('tags')} />
        </>
      )}
    </CallDialog>
  )
}

/** The number that the molecule was added with, and the current one if it reads differently. */
function ListedValue({ added, now }: Omit<Listed, 'smiles'>) {
  const shown = added ?? now
  if (shown === null) return <span>–</span>
  const hasMoved = now !== null && wordListed(now) !== wordListed(shown)
  return (
    <span>
      {shown.predicted_kd.toFixed(1)}
      <small>{rangeOf(shown)}</small>
      {hasMoved && <small>{`now ${now.predicted_kd.toFixed(1)} (${rangeOf(now)})`}</small>}
    </span>
  )
}

function wordListed(number: ListedNumber): string {
  return `${number.predicted_kd.toFixed(1)} ${rangeOf(number)}`
}

/** Draws a molecule in the orientation of its series; provided by the page. */
export const DrawingContext = createContext<(smiles: string) => ReactNode>(() => null)

export function Drawing({ smiles }: { smiles: string }) {
  return <span className={classes.drawing}>{useContext(DrawingContext)(smiles)}</span>
}

/** SMILES need no quotes in a CSV: they contain neither commas nor quotes. */
function saveList(name: string, molecules: Listed[]): void {
  const cellsOf = (number: ListedNumber | null) =>
    number === null ? ['', '', ''] : [number.predicted_kd, number.lower, number.upper]
  const lines = molecules.map(({ smiles, added, now }) =>
    [smiles, ...cellsOf(added ?? now), ...cellsOf(now)].join(','),
  )
  const heading = 'SMILES,pKd,Lower 95%,Upper 95%,pKd now,Lower 95% now,Upper 95% now'
  const text = [heading, ...lines, ''].join('\r\n')
  saveFile(new Blob([text], { type: 'text/csv' }), `${fileNameOf(name)}.csv`)
}
