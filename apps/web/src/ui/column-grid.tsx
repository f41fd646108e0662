/** Parts side by side; below each other in a window of at most `below` pixels. */
import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './column-grid.module.css'

type Props = BoxProps & {
  /** As in `grid-template-columns`. */
  template: string
  below?: 860 | 900 | 1000 | 1080
  gap?: 'xs' | 'sm' | 'md' | 'lg'
  'aria-busy'?: boolean
  children: ReactNode
}

export function ColumnGrid({ template, below, gap = 'lg', className = '', ...rest }: Props) {
  return (
    <Box
      className={`${classes.columns} ${className}`}
      data-below={below}
      __vars={{ '--columns': template, '--gap': `var(--mantine-spacing-${gap})` }}
      {...rest}
    />
  )
}
