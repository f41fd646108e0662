/** The parts of an admin page: its heading, and panels with one subject each. */
import { Box, Flex, Group } from '#web/ui/layout.ts'
import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

type PageHeadProps = {
  title: ReactNode
  above?: ReactNode
  below?: ReactNode
  children?: ReactNode
}

/** A page's parent, its title, and its one main action. */
export function PageHead({ title, above, below, children }: PageHeadProps) {
  return (
    <Group gap="md" justify="space-between" mih="var(--hit)" mb="lg">
      <Box className={`breaks ${classes.title}`} miw={0}>
        {above !== undefined && <p className="small">{above}</p>}
        <h1>{title}</h1>
        {below !== undefined && <p className="quiet">{below}</p>}
      </Box>
      {children !== undefined && (
        <Flex wrap="wrap" rowGap="sm" columnGap="md" align="center">
          {children}
        </Flex>
      )}
    </Group>
  )
}

type PanelProps = { title: string; action?: ReactNode; isFlush?: boolean; children: ReactNode }

/** A panel with its heading and actions. `isFlush`: its content reaches the edges, as tables do. */
export function Panel({ title, action, isFlush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className={`sheet ${classes.panel}`} aria-labelledby={id} data-flush={isFlush}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
