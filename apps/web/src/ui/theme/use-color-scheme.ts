/** Light or dark, right from the first drawing: there is no server that would have to guess. */
import { useComputedColorScheme } from '@mantine/core'

export function useColorScheme(): 'light' | 'dark' {
  return useComputedColorScheme('light', { getInitialValueInEffect: false })
}
