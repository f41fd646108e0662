/** Provides the component library’s theme, light or dark. The choice is remembered. */
import { ActionIcon, MantineProvider } from '@mantine/core'
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { colorSchemeManager, cssVariables, theme } from './theme.ts'

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariables}
      withGlobalClasses={false}
      // The theme sets every variable itself, so the library's default variables are not shipped.
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  )
}

/** Correct from the first render: there is no server rendering that would have to guess. */
export function useColorScheme(): 'light' | 'dark' {
  return useComputedColorScheme('light', { getInitialValueInEffect: false })
}

export function useOtherColorScheme() {
  const { setColorScheme } = useMantineColorScheme()
  const other = useColorScheme() === 'dark' ? 'light' : 'dark'
  return { other, switchScheme: () => setColorScheme(other) } as const
}

export function ThemeToggle() {
  const { other, switchScheme } = useOtherColorScheme()
  const label = `Switch to ${other} colours`
  return (
    <ActionIcon aria-label={label} title={label} onClick={switchScheme}>
      <Icon name="scheme" />
    </ActionIcon>
  )
}
