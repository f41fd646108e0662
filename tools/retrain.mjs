// npm run retrain -- --tables <folder>: from the tables to models/current; see training/README.md.
import { resolve } from 'node:path'
import { environment, prepareNode, root, runOrExit } from './prepare.mjs'
import { trainingPython } from './training-python.mjs'

prepareNode()
// Paths are relative to the folder where the command was run, not to the checkout.
const from = process.env.INIT_CWD ?? process.cwd()
const paths = new Set(['--tables', '--model', '--work'])
const given = process.argv.slice(2)
const words = given.map((word, at) => (paths.has(given[at - 1] ?? '') ? resolve(from, word) : word))
runOrExit(trainingPython, ['-m', 'affinity_model', ...words], {
  cwd: root,
  env: environment({ PYTHONPATH: 'training' }),
})
