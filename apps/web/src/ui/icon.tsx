/** Line icons on a 20-pixel grid. Decorative: the text next to them carries the meaning. */
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
  half: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 2.5a7.5 7.5 0 0 1 0 15z" fill="currentColor" />
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

/** The frame of all icons. */
export function LineIcon({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      className={classes.icon}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 20 20"
      aria-hidden="true"
      // Keeps the line of a large icon thin.
      strokeWidth={size > 32 ? 1 : 1.6}
    >
      {children}
    </svg>
  )
}

/** An outline icon, which the context may fill. */
export function StarIcon({ size = 18 }: { size?: number }) {
  return (
    <LineIcon size={size}>
      <path d="M10 2.8l2.2 4.6 5 .7-3.6 3.5.9 5L10 14.2l-4.5 2.4.9-5L2.8 8.1l5-.7z" />
    </LineIcon>
  )
}
