/** The header of every signed-in page, and the frame that puts it around the page. */
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { login } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { signOut } from '#web/features/auth/session.ts'
import { CreditsCounter } from '#web/features/credits/credits-counter.tsx'
import { call } from '#web/lib/api.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeToggle } from '#web/ui/theme/theme-provider.tsx'
import classes from './header.module.css'
import { Keyboard } from './keyboard.tsx'
import skipLink from './skip-link.module.css'

const WORK = [
  { to: '/prompt', label: 'Upload' },
  { to: '/results', label: 'Predict' },
  { to: '/screens', label: 'Screens' },
  { to: '/series', label: 'Series' },
  { to: '/history', label: 'History' },
  { to: '/measurements', label: 'Measured values' },
  { to: '/account', label: 'API keys and data' },
]
const SITE = ['About us', 'Services', 'Account']

/** Navigation, the current page, and Logout. */
export function Header({ slot }: { slot?: ReactNode }) {
  const { pathname } = useLocation()
  const [openOn, setOpenOn] = useState<string | null>(null)
  // Tied to the page it was opened on, so it closes with every change of route.
  const isOpen = openOn === pathname
  useEscape(isOpen, () => setOpenOn(null))

  return (
    <header className={classes.top}>
      <Link className={classes.logo} to="/prompt" aria-label="pKdex, go to Upload">
        <Logo />
      </Link>
      <UnstyledButton
        className={classes.menu}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls="header-links"
        onClick={() => setOpenOn(isOpen ? null : pathname)}
      >
        <Icon name={isOpen ? 'close' : 'menu'} />
      </UnstyledButton>
      <div id="header-links" className={classes.links} data-open={isOpen}>
        <nav className={classes.work} aria-label="Main">
          {WORK.map(({ to, label }) => (
            <Link key={to} to={to} aria-current={isWithin(pathname, to) ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <nav className={classes.site} aria-label="About">
          {SITE.map((label) => (
            <UnstyledButton key={label} onClick={() => console.log(label)}>
              {label}
            </UnstyledButton>
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

/** The series page of a screen belongs to `Series`. */
function isWithin(pathname: string, to: string): boolean {
  const here = pathname.endsWith('/series') ? '/series' : pathname
  return here === to || here.startsWith(`${to}/`)
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

/** The user's initials, with the full name as a label. */
function SignedInAs() {
  const { data } = useQuery({
    queryKey: ['signed in as'],
    // Loads the key's user without claiming the session for this page.
    queryFn: ({ signal }) => call(login, { signal, withPageId: false }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // Reserves the space, so that the links next to it do not move.
  if (data === undefined) return <span className={classes.who} aria-hidden="true" />
  const name = data.name.trim() || data.email
  const [first = '', ...others] = name.split(/[\s@]+/)
  const last = data.name.trim() === '' ? '' : (others.at(-1) ?? '')
  return (
    <span className={classes.who} title={`${name}, ${data.email}`}>
      <span aria-hidden="true">{`${first.charAt(0)}${last.charAt(0)}`.toUpperCase()}</span>
      <span className="visually-hidden">Signed in as {name}</span>
    </span>
  )
}

/** The frame of every page behind the sign-in: skip link, header, main. */
export function PageFrame() {
  const slot = (
    <>
      <CreditsCounter />
      <SignedInAs />
    </>
  )
  return (
    <>
      <a className={skipLink.skip} href="#main">
        Skip to content
      </a>
      <Header slot={slot} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Keyboard />
    </>
  )
}
