/** Mantine's layout components: space, alignment and text as props. Their styles come with them, not with the first page. */
import '@mantine/core/styles/Flex.layer.css'
import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Stack.layer.css'

export { Box, Flex, Group, Stack } from '@mantine/core'
export { ColumnGrid } from './column-grid.tsx'
