/** The buttons of every screen: this folder alone knows the library that they come from. */
export { Button, FileButton, UnstyledButton } from '@mantine/core'
