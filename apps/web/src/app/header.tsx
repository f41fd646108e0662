/** The header of every signed-in page, and the frame that puts it around the page. */
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link, NavLink, Outlet, useLocation, useMatches } from 'react-router'
import { signOut } from '#web/features/auth/session.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeToggle } from '#web/ui/theme/theme-provider.tsx'
import classes from './header.module.css'
import { Keyboard } from './keyboard.tsx'
import skipLink from './skip-link.module.css'

const WORK = [
  { to: '/prompt', label: 'Upload' },
  { to: '/results', label: 'Predict' },
  { to: '/screens', label: 'Screen' },
  { to: '/history', label: 'History' },
  { to: '/measurements', label: 'Measured' },
  { to: '/account', label: 'Keys and data' },
]
const SITE = ['About us', 'Services', 'Account']

/** Where you are, where you can go, and the way out. */
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
        <nav className={classes.work} aria-label="Work">
          {WORK.map(({ to, label }) => (
            <NavLink key={to} to={to}>
              {label}
            </NavLink>
          ))}
        </nav>
        <nav className={classes.site} aria-label="Site">
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

function useEscape(isListening: boolean, onEscape: () => void) {
  const handle = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isListening) return
    const listen = (event: KeyboardEvent) => event.key === 'Escape' && handle()
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isListening])
}

/** What a page may say to its frame, as the handle of its route. */
export type FrameHandle = {
  /** Stands in the header beside the theme toggle; the credits on the results page. */
  HeaderSlot: ComponentType
}

/** The frame of every page behind the sign-in: skip link, header, main. */
export function PageFrame() {
  const handle = useMatches().at(-1)?.handle as FrameHandle | undefined
  return (
    <>
      <a className={skipLink.skip} href="#main">
        Skip to content
      </a>
      <Header slot={handle && <handle.HeaderSlot />} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Keyboard />
    </>
  )
}
