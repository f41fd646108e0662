// npm run setup: prepares the checkout without starting anything, for machines whose service manager does.
import { prepare } from './prepare.mjs'

prepare()
