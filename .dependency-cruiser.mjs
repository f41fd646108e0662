// Who may import whom. Read with swc: this tool cannot read TypeScript through TypeScript 7, and then
// passes with no module read. tools/boundaries.test.ts fails when too few modules were read.
// Tests, and the files that open what several of them need.
const test = '\\.test\\.tsx?$|/open-test-[^/]+\\.ts$'
const rule = (name, from, to) => ({ name, severity: 'error', from, to })

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule('no-unresolved', {}, { couldNotResolve: true, pathNot: 'virtual:|\\.css$' }),
    rule('declared-dependencies-only', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
    rule(
      'contract-needs-only-zod',
      { path: '^packages/contract/src', pathNot: test },
      { pathNot: '^(packages/contract/src|node_modules/zod)' },
    ),
    rule(
      'biochem-needs-only-rdkit',
      { path: '^packages/biochem/src', pathNot: test },
      { pathNot: '^(packages/biochem/src|node_modules/@rdkit)' },
    ),
    rule(
      'rdkit-only-for-molecules',
      { path: '^packages/biochem/src/(pdb|parsed)', pathNot: test },
      { path: '@rdkit' },
    ),
    rule(
      'apps-do-not-meet',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/([^/]+)/', pathNot: '^apps/$1/' },
    ),
    rule(
      'server-platform-knows-no-feature',
      { path: '^apps/server/src/(http|db|config)', pathNot: test },
      { path: '^apps/server/src/(?!http|db)[^/]+/' },
    ),
    rule(
      'another-feature-only-through-its-service',
      { path: '^apps/server/src/([^/]+)/', pathNot: test },
      { path: '^apps/server/src/[^/]+/(store|routes)\\.ts$', pathNot: '^apps/server/src/$1/' },
    ),
    rule(
      'inference-stands-alone',
      { path: '^apps/server/src/inference/', pathNot: test },
      { path: '^apps/server/src/(?!inference)[^/]+/' },
    ),
    rule(
      'only-inference-loads-the-model',
      { path: '^apps', pathNot: '^apps/server/src/inference/' },
      { path: 'onnxruntime-node' },
    ),
    rule(
      'api-process-never-loads-the-model',
      { path: '^apps/server/src/main-api\\.ts$' },
      { path: 'onnxruntime-node', reachable: true },
    ),
    rule(
      'web-features-do-not-meet',
      { path: '^apps/web/src/features/([^/]+)/', pathNot: test },
      { path: '^apps/web/src/features/([^/]+)/', pathNot: '^apps/web/src/features/$1/' },
    ),
    rule(
      'web-flows-one-way',
      { path: '^apps/web/src/(lib|ui)/' },
      { path: '^apps/web/src/(features|app)/' },
    ),
    rule(
      'web-features-below-app',
      { path: '^apps/web/src/features/' },
      { path: '^apps/web/src/app/' },
    ),
    rule(
      'web-ui-knows-only-react',
      { path: '^apps/web/src/ui/', pathNot: test },
      { path: '^packages/|^apps/web/src/lib/' },
    ),
    rule(
      'no-node-in-the-browser',
      { path: '^apps/web/src', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    rule('training-needs-no-app', { path: '^training/' }, { path: '^apps/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|\\.tsbuild' },
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
}
