/** Runs once before all tests. */
import { unpackBrowser } from './browser.ts'

// oxlint-disable-next-line import/no-default-export -- the tool calls the default export
export default unpackBrowser
