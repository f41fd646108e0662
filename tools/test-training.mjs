// npm run test:training [-- PYTEST OPTIONS]: tests of the training code, without tables; see training/README.md.
import { environment, prepareNode, root, runOrExit } from './prepare.mjs'
import { trainingPython } from './training-python.mjs'

prepareNode()
runOrExit(trainingPython, ['-m', 'pytest', 'training/tests', ...process.argv.slice(2)], {
  cwd: root,
  env: environment({ PYTHONPATH: 'training' }),
})
