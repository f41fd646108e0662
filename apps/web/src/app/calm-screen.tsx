/** A whole screen with one message and one way on: not found, out of reach, broken. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Logo } from '#web/ui/logo.tsx'
import classes from './calm-screen.module.css'

type Props = { title: string; text: string; action: ReactNode }

export function CalmScreen({ title, text, action }: Props) {
  return (
    <main className={classes.screen}>
      <title>{`${title} · pKdex`}</title>
      <div className={classes.message}>
        <Link to="/prompt" className={classes.logo} aria-label="pKdex, to upload">
          <Logo />
        </Link>
        <h1>{title}</h1>
        <p className="quiet">{text}</p>
        <div className={classes.action}>{action}</div>
      </div>
    </main>
  )
}
