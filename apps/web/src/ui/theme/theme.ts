/** Mantine's theme, built from tokens.css: ramps as tuples, everything else by reference to the roles. */
import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type VariantColorsResolver,
} from '@mantine/core'

type Ramp = 'petrol' | 'slate' | 'dark' | 'ember'

const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  return input.variant === 'filled' ? { ...colors, color: 'var(--on-accent)' } : colors
}

export const theme = createTheme({
  colors: {
    petrol: ramp('petrol'),
    gray: ramp('slate'),
    dark: ramp('dark'),
    ember: ramp('ember'),
  },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver: variantColors,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  // In rem, so that they scale with the reader's text size.
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.3125rem' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { sm: '4px', md: '8px', lg: '14px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { fw: 500, size: 'md' },
      vars: () => ({ root: { '--button-height': 'var(--hit)', '--button-padding-x': '18px' } }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', color: 'gray' },
      vars: () => ({ root: { '--ai-size': 'var(--hit)' } }),
    }),
  },
})

const roles = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-default': 'transparent',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'transparent',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-petrol-filled': 'var(--accent)',
  '--mantine-color-petrol-filled-hover': 'var(--accent-hover)',
  '--mantine-color-petrol-light-color': 'var(--accent-ink)',
  '--mantine-color-petrol-light-hover': 'var(--accent-soft)',
  '--mantine-color-ember-filled': 'var(--warn)',
  '--mantine-color-ember-filled-hover': 'var(--warn-ink)',
  '--mantine-color-ember-light-color': 'var(--warn-ink)',
  '--mantine-color-ember-light-hover': 'var(--warn-soft)',
  '--mantine-color-ember-outline': 'var(--warn-ink)',
  '--mantine-color-ember-outline-hover': 'var(--warn-soft)',
  '--mantine-color-gray-light-color': 'var(--ink-2)',
  '--mantine-color-gray-light-hover': 'var(--sunken)',
} as const

/** The values of the roles change with the colour scheme, so both schemes get the same references. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...roles },
  dark: { ...roles },
})

/** public/first-paint.js reads this key as well. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'pkdex-color-scheme' })

function ramp(name: Ramp) {
  const shade = (index: number) => `var(--${name}-${index})`
  return [
    shade(0),
    shade(1),
    shade(2),
    shade(3),
    shade(4),
    shade(5),
    shade(6),
    shade(7),
    shade(8),
    shade(9),
  ] as const
}
