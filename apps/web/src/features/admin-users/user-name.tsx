/** A user's name, or that there is none. */
import { messages } from '@pkdex/contract'
import classes from './user-name.module.css'

export function UserName({ name }: { name: string }) {
  return name === '' ? <span className={classes.none}>{messages.admin.noName}</span> : name
}
