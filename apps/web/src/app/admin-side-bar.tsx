/** The admin side bar: links to pages, collapse, colour scheme, and Logout. */
import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { signOutAdmin } from '#web/features/admin-auth/admin-session.ts'
import { UnstyledButton } from '#web/ui/button.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Logo, Mark } from '#web/ui/logo.tsx'
import { useOtherColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { ToolIcon, type ToolIconName } from '#web/ui/tool-icon.tsx'
import classes from './admin-side-bar.module.css'

const PAGES: { to: string; label: string; icon: ToolIconName }[] = [
  { to: '/admin', label: 'Dashboard', icon: 'dashboard' },
  { to: '/admin/users', label: 'Users', icon: 'users' },
  { to: '/admin/database/stats', label: 'Database Stats', icon: 'database' },
  { to: '/admin/database/export', label: 'Export Data', icon: 'download' },
  { to: '/admin/audit', label: 'Audit Log', icon: 'log' },
  { to: '/admin/administrators', label: 'Administrators', icon: 'key' },
]

export function AdminSideBar({ email }: { email: string | null }) {
  const [isCollapsed, setIsCollapsed] = useLocalStorage({
    key: 'pkdex-admin-side-bar-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const pages = useCurrentInSight()
  const name = isCollapsed ? 'Expand' : 'Collapse'
  return (
    <header className={classes.bar} data-collapsed={isCollapsed}>
      <Link className={classes.logo} to="/admin" aria-label="pKdex dashboard">
        {isCollapsed ? <Mark size={28} /> : <Logo />}
      </Link>
      <p className={classes.role} title={email ?? undefined}>
        Administration
      </p>
      <nav ref={pages} className={classes.pages} aria-label="Admin pages">
        {PAGES.map(({ to, label, icon }) => (
          <NavLink key={to} to={to} end={to === '/admin'} title={isCollapsed ? label : undefined}>
            <ToolIcon name={icon} />
            <span>{label}</span>
          </NavLink>
        ))}
      </nav>
      <div className={classes.tools}>
        <SchemeButton isCollapsed={isCollapsed} />
        <ToolButton
          label={name}
          icon={<ToolIcon name={isCollapsed ? 'expand' : 'collapse'} />}
          isCollapsed={isCollapsed}
          className={classes.collapse}
          aria-expanded={!isCollapsed}
          onClick={() => setIsCollapsed(!isCollapsed)}
        />
        <ToolButton
          label="Logout"
          icon={<ToolIcon name="logout" />}
          isCollapsed={isCollapsed}
          onClick={() => void signOutAdmin()}
        />
      </div>
    </header>
  )
}

/** The row of pages fades out at its end to show that it can be scrolled. */
const FADE_WIDTH = 32

/** On a phone the row of pages scrolls; the current page must be visible. */
function useCurrentInSight() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (!nav.current || !current) return
    const { scrollLeft, clientWidth } = nav.current
    const end = current.offsetLeft + current.offsetWidth + FADE_WIDTH
    if (current.offsetLeft < scrollLeft || end > scrollLeft + clientWidth) {
      nav.current.scrollLeft = current.offsetLeft - FADE_WIDTH
    }
  }, [pathname])
  return nav
}

function SchemeButton({ isCollapsed }: { isCollapsed: boolean }) {
  const { switchScheme } = useOtherColorScheme()
  return (
    <ToolButton
      label="Colour scheme"
      icon={<Icon name="scheme" />}
      isCollapsed={isCollapsed}
      className={classes.scheme}
      onClick={switchScheme}
    />
  )
}

type ToolProps = {
  label: string
  icon: ReactNode
  isCollapsed: boolean
  className?: string | undefined
  'aria-expanded'?: boolean
  onClick: () => void
}

function ToolButton({ label, icon, isCollapsed, ...button }: ToolProps) {
  return (
    <UnstyledButton title={isCollapsed ? label : undefined} {...button}>
      {icon}
      <span>{label}</span>
    </UnstyledButton>
  )
}
