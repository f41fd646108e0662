/** Line icons on a 20-pixel grid. Decoration only: the words beside them carry the meaning. */
import type { ReactNode } from 'react'
import classes from './icon.module.css'

const paths = {
  menu: <path d="M3 6h14M3 10h14M3 14h14" />,
  chevron: <path d="M8 5l5 5-5 5" />,
  close: <path d="M5 5l10 10M15 5L5 15" />,
  scheme: (
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />
    </>
  ),
  upload: <path d="M10 13V3M6 7l4-4 4 4M3 13v4h14v-4" />,
  done: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M6.5 10.2l2.4 2.4 4.6-5" />
    </>
  ),
  warning: <path d="M10 3l8 14H2zM10 8.5v4M10 14.8v.2" />,
  info: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 9v5M10 6v.2" />
    </>
  ),
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <LineIcon size={size}>{paths[name]}</LineIcon>
}

/** The frame of every icon. */
export function LineIcon({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      className={classes.icon}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 20 20"
      aria-hidden="true"
      // A large icon keeps a thin line.
      strokeWidth={size > 32 ? 1 : 1.6}
    >
      {children}
    </svg>
  )
}
