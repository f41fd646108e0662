// npm run setup: makes the checkout ready to run, and runs nothing. For machines that start the processes themselves.
import { prepare } from './prepare.mjs'

prepare()
