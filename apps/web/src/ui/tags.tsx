/** Tags: typed as one text with commas, shown as links to the list of what has the same tag. */
import { Flex } from './layout.ts'
import { Link } from 'react-router'
import { z } from 'zod'
import { Field } from './field.tsx'
import { Note } from './note.tsx'
import type { NamedField } from './use-form.ts'
import classes from './tags.module.css'

export function TagsField({ tags, ...field }: NamedField & { tags: readonly string[] }) {
  return (
    <Field label="Tags" hint="Separate with commas." defaultValue={tags.join(', ')} {...field} />
  )
}

export const TypedTags = z
  .string()
  .transform((text) => text.split(',').map((tag) => tag.trim()))
  .transform((tags) => tags.filter((tag) => tag !== ''))

/** `list`: the address of the list that the links filter. */
export function TagLinks({ tags, list }: { tags: readonly string[]; list: string }) {
  if (tags.length === 0) return null
  return (
    <ul className={classes.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={`${list}?${new URLSearchParams({ tag })}`}>{tag}</Link>
        </li>
      ))}
    </ul>
  )
}

/** The tag that a list is filtered by, and the way back to the whole list. */
export function TagFilter({ tag, list }: { tag: string | null; list: string }) {
  if (tag === null) return null
  return (
    <Flex component="p" className="breaks" wrap="wrap" gap="xs" mb="sm">
      Tag: <b>{tag}</b> <Link to={list}>Show all</Link>
    </Flex>
  )
}

export function NoneTagged({ tag }: { tag: string }) {
  return <Note tone="info">{`Nothing has the tag “${tag}”.`}</Note>
}
