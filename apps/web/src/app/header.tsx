/** The header of every signed-in page, and the frame that puts it around the page. */
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { login } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { signOut } from '#web/features/auth/session.ts'
import { CreditsCounter } from '#web/features/credits/credits-counter.tsx'
import { useNews } from '#web/features/credits/news.ts'
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

/** How much is new: comments by others and finished screens. A screen whose page is open is not one of these. */
function NewsCount() {
  const { pathname } = useLocation()
  const count = useNews().reduce((sum, { screen_id: id, comments, has_finished }) => {
    return sum + comments + Number(has_finished && pathname !== `/screens/${id}`)
  }, 0)
  if (count === 0) return null
  const shown = count > 99 ? '99+' : `${count}`
  return (
    <Link className={classes.news} to="/screens" title="New comments and finished screens">
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{`${shown} new comments and finished screens`}</span>
    </Link>
  )
}

/** The user's initials, which open files, credits, API keys and the account. */
function OwnPages() {
  const { pathname } = useLocation()
  const { data } = useQuery({
    queryKey: ['signed in as'],
    // Loads the key's user without claiming the session for this page.
    queryFn: ({ signal }) => call(login, { signal, withPageId: false }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const name = data && (data.name.trim() || data.email)
  return (
    <Link
      className={classes.who}
      to="/account"
      title={data && `${name}, ${data.email}`}
      aria-current={isWithin(pathname, '/account') ? 'page' : undefined}
    >
      <span aria-hidden="true">{name && data && initialsOf(name, data.name.trim() !== '')}</span>
      <span className="visually-hidden">
        {`Files, credits, API and account${name === undefined ? '' : ` of ${name}`}`}
      </span>
    </Link>
  )
}

/** Those of first and last name, or the first letter of an address. */
function initialsOf(name: string, isName: boolean): string {
  const [first = '', ...others] = name.split(/[\s@]+/)
  const last = isName ? (others.at(-1) ?? '') : ''
  return `${first.charAt(0)}${last.charAt(0)}`.toUpperCase()
}

/** The frame of every page behind the sign-in: skip link, header, main. */
export function PageFrame() {
  const slot = (
    <>
      <CreditsCounter />
      <NewsCount />
      <OwnPages />
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
