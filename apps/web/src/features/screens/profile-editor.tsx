/** Edits the profile that scores compounds: ranges for pKd and properties, each with a tolerance. */
import { ColumnGrid, Flex, Stack } from '#web/ui/layout.ts'
import {
  describeColumn,
  describeCondition,
  type ProfileCondition,
  profileNames,
  readProfile,
  usualProfile,
  writeProfile,
} from '@pkdex/contract'
import { useState } from 'react'
import { readKeptProfile } from './kept-profile.ts'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { Field, Select } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Popover } from '#web/ui/popover.tsx'

const labelOf = (name: ProfileCondition['name']) =>
  name === 'pkd' ? 'pKd' : describeColumn(name).label
const NAMES = profileNames.map((name) => ({ value: name, label: labelOf(name) }))

/** `profile`: as in the URL; empty if there is none. */
export function ProfileEditor({
  profile,
  onChange,
}: {
  profile: string
  /** A table with a profile is sorted by it. */
  onChange: (change: { profile: string; sort: 'profile' | undefined }) => void
}) {
  const conditions = profile === '' ? [] : (readProfile(profile) ?? [])
  const score = (next: string) =>
    onChange({ profile: next, sort: next === '' ? undefined : 'profile' })
  const kept = readKeptProfile()
  const save = (next: ProfileCondition[]) => score(writeProfile(next))
  return (
    <Popover label="Profile" side="right">
      <Stack gap="sm">
        <Stack component="ul" gap="xs">
          {conditions.map((condition) => (
            <Flex
              component="li"
              key={condition.name}
              gap="xs"
              align="center"
              justify="space-between"
            >
              {describeCondition(condition)}
              {condition.tolerance > 0 && <span className="faint"> ± {condition.tolerance}</span>}
              <UnstyledButton
                aria-label={`Remove ${labelOf(condition.name)} from the profile`}
                onClick={() => save(conditions.filter(({ name }) => name !== condition.name))}
              >
                <Icon name="close" size={12} />
              </UnstyledButton>
            </Flex>
          ))}
        </Stack>
        {conditions.length === 0 && (
          <>
            <Button variant="default" onClick={() => score(usualProfile)}>
              Oral drug with pKd 7
            </Button>
            {kept !== '' && kept !== usualProfile && (
              <Button variant="default" onClick={() => score(kept)}>
                Last profile
              </Button>
            )}
          </>
        )}
        <NewCondition
          onAdd={(added) => save([...conditions.filter(({ name }) => name !== added.name), added])}
        />
        {conditions.length > 0 && (
          <Button variant="subtle" onClick={() => score('')}>
            Remove profile
          </Button>
        )}
      </Stack>
    </Popover>
  )
}

type Typed = { min: string; max: string; tolerance: string }
const nothing: Typed = { min: '', max: '', tolerance: '' }
const fields = [
  { name: 'min', label: 'At least' },
  { name: 'max', label: 'At most' },
  { name: 'tolerance', label: 'Tolerance' },
] as const

function NewCondition({ onAdd }: { onAdd: (condition: ProfileCondition) => void }) {
  const [name, setName] = useState<ProfileCondition['name']>('pkd')
  const [typed, setTyped] = useState(nothing)
  const text = `${name}:${typed.min}..${typed.max}${typed.tolerance === '' ? '' : `~${typed.tolerance}`}`
  const [read] = readProfile(text) ?? []
  return (
    <>
      <Select label="Property of the profile" value={name} options={NAMES} onChange={setName} />
      <ColumnGrid template="1fr 1fr 1fr" gap="xs">
        {fields.map((field) => (
          <Field
            key={field.name}
            label={field.label}
            type="number"
            step="any"
            value={typed[field.name]}
            onChange={({ currentTarget: { value } }) =>
              setTyped((now) => ({ ...now, [field.name]: value }))
            }
          />
        ))}
      </ColumnGrid>
      <Button
        variant="default"
        disabled={read === undefined}
        onClick={() => {
          if (read === undefined) return
          onAdd(read)
          setTyped(nothing)
        }}
      >
        Set
      </Button>
    </>
  )
}
