/** The buttons of every page: only this folder imports the component library. */
export { Button, FileButton, UnstyledButton } from '@mantine/core'
