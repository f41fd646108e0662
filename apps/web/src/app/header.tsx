/** The header of every signed-in page: where you are, where you can go, and the way out. */
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { signOut } from '#web/lib/session.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeToggle } from '#web/ui/theme/theme-toggle.tsx'
import classes from './header.module.css'

const WORK = [
  { to: '/prompt', label: 'Upload' },
  { to: '/results', label: 'Predict' },
]
const SITE = ['About us', 'Services', 'Account']

export function Header({ slot }: { slot?: ReactNode }) {
  const { pathname } = useLocation()
  const [openOn, setOpenOn] = useState<string | null>(null)
  // Bound to the page it was opened on, so that it closes with every change of route.
  const isOpen = openOn === pathname
  useEscape(isOpen, () => setOpenOn(null))

  return (
    <header className={classes.top}>
      <Link className={classes.logo} to="/prompt" aria-label="pKdex, to upload">
        <Logo />
      </Link>
      <button
        type="button"
        className={classes.menu}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls="header-links"
        onClick={() => setOpenOn(isOpen ? null : pathname)}
      >
        <Icon name={isOpen ? 'close' : 'menu'} />
      </button>
      <div id="header-links" className={classes.links} data-open={isOpen}>
        <nav className={classes.work} aria-label="Work">
          {WORK.map(({ to, label }) => (
            <NavLink key={to} to={to}>
              {label}
            </NavLink>
          ))}
        </nav>
        <nav className={classes.site} aria-label="Site">
          {SITE.map((label) => (
            <button key={label} type="button" onClick={() => console.log(label)}>
              {label}
            </button>
          ))}
        </nav>
        <div className={classes.session}>
          <ThemeToggle />
          <Button variant="subtle" color="gray" onClick={() => void signOut()}>
            Logout
          </Button>
        </div>
      </div>
      {slot !== undefined && <div className={classes.slot}>{slot}</div>}
    </header>
  )
}

function useEscape(isListening: boolean, onEscape: () => void) {
  const handle = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isListening) return
    const listen = (event: KeyboardEvent) => event.key === 'Escape' && handle()
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isListening])
}
