/** A small panel below its button. It closes on Escape, on a click elsewhere, and when the focus leaves it. */
import { Box } from './layout.ts'
import { Button, type ButtonProps } from '@mantine/core'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import classes from './popover.module.css'

type Props = Pick<ButtonProps, 'variant' | 'leftSection' | 'className'> & {
  label: string
  /** What the button shows instead of its label. */
  face?: string
  /** The edge of the button with which the panel is aligned. */
  side?: 'left' | 'right'
  /** A choice closes it. */
  isMenu?: boolean
  children: ReactNode
}

export function Popover({
  label,
  face,
  side = 'left',
  isMenu = false,
  children,
  ...button
}: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  // After every render: what is chosen in the panel may move its button.
  useLayoutEffect(() => keepInView(panel.current))
  useEffect(() => {
    const keep = () => keepInView(panel.current)
    window.addEventListener('resize', keep)
    return () => window.removeEventListener('resize', keep)
  }, [])

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && root.current?.contains(target))) setIsOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  const closeWhenLeft = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setIsOpen(false)
  }

  const close = () => {
    setIsOpen(false)
    root.current?.querySelector('button')?.focus()
  }

  const closeByKey = ({ key }: KeyboardEvent) => {
    if (isOpen && key === 'Escape') close()
  }

  const closeByChoice = ({ target }: MouseEvent) => {
    if (isMenu && target instanceof Node && panel.current?.contains(target)) close()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys and choices of its content
    <Box
      ref={root}
      onBlur={closeWhenLeft}
      onKeyDown={closeByKey}
      onClick={closeByChoice}
      pos="relative"
    >
      <Button
        variant="default"
        {...button}
        aria-label={face === undefined ? undefined : label}
        aria-expanded={isOpen}
        // Escape closes the panel, and not the dialog that it is in.
        data-mantine-stop-propagation={isOpen || undefined}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {face ?? label}
      </Button>
      {isOpen && (
        <div
          ref={panel}
          id={id}
          className={classes.panel}
          data-side={side}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no form is sent
          role="group"
          aria-label={label}
        >
          {children}
        </div>
      )}
    </Box>
  )
}

const MARGIN_PX = 12

/** Moves an open panel sideways as far as it would leave the window. */
function keepInView(panel: HTMLElement | null) {
  if (panel === null) return
  panel.style.translate = 'none'
  const { left, right } = panel.getBoundingClientRect()
  const end = document.documentElement.clientWidth - MARGIN_PX
  panel.style.translate = `${Math.max(MARGIN_PX - left, Math.min(0, end - right))}px`
}
