/** The icons of the admin area, separate so that a user's first page does not load them. */
import { LineIcon } from './icon.tsx'

const paths = {
  dashboard: <path d="M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z" />,
  users: (
    <>
      <circle cx="10" cy="7" r="3.5" />
      <path d="M3 17c.8-3.6 3.6-5 7-5s6.2 1.4 7 5" />
    </>
  ),
  database: (
    <path d="M3.5 5c0-3 13-3 13 0v10c0 3-13 3-13 0zM3.5 5c0 3 13 3 13 0M3.5 10c0 3 13 3 13 0" />
  ),
  download: <path d="M10 3v10M6 9l4 4 4-4M3 13v4h14v-4" />,
  key: (
    <>
      <circle cx="6.5" cy="13.5" r="3.5" />
      <path d="M9 11l8-8M13.5 6.5l3 3" />
    </>
  ),
  log: <path d="M4 3h12v14H4zM7 7h6M7 10h6M7 13h4" />,
  collapse: <path d="M3 4h14v12H3zM8 4v12M13.5 8l-2 2 2 2" />,
  expand: <path d="M3 4h14v12H3zM8 4v12M11.5 8l2 2-2 2" />,
  logout: <path d="M8 3H3v14h5M8 10h9M14 7l3 3-3 3" />,
  plus: <path d="M10 4v12M4 10h12" />,
  search: (
    <>
      <circle cx="9" cy="9" r="5.5" />
      <path d="M13 13l4 4" />
    </>
  ),
  copy: <path d="M7 7h10v10H7zM13 7V3H3v10h4" />,
  back: <path d="M12.5 4.5L7 10l5.5 5.5" />,
  forward: <path d="M7.5 4.5L13 10l-5.5 5.5" />,
  unsorted: <path d="M6 8l4-4 4 4M6 12l4 4 4-4" />,
  ascending: <path d="M10 16V4M5 9l5-5 5 5" />,
  descending: <path d="M10 4v12M5 11l5 5 5-5" />,
} as const

export type ToolIconName = keyof typeof paths

export function ToolIcon({ name, size = 20 }: { name: ToolIconName; size?: number }) {
  return <LineIcon size={size}>{paths[name]}</LineIcon>
}
