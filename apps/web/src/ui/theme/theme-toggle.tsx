/** Switches between light and dark, and remembers the choice. */
import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { Icon } from '../icon.tsx'
import { useColorScheme } from './use-color-scheme.ts'

export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useColorScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      aria-label={`Switch to ${other} colours`}
      title={`Switch to ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      <Icon name="scheme" />
    </ActionIcon>
  )
}
