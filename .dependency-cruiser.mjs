// Import rules. Source files are read with swc: with TypeScript 7 this tool reads no TypeScript modules, and then passes.
// tools/boundaries.check.test.ts fails if too few modules were read. Each rule comes with violations (file: what it imports),
// which that test plants.
import { readdirSync } from 'node:fs'

export const generated = '(^|/)dist/|\\.tsbuild'

/** Tests, and files with their shared set-up. */
export const test = '\\.test\\.tsx?$|/fixtures/|^apps/server/test/'

/** Tests of the web client, and their shared screens. */
const webTest = '\\.test\\.tsx?$|^apps/web/src/test/'

const server = 'apps/server/src'
const notFeatures = new Set(['audit', 'auth', 'main', 'platform'])
const features = readdirSync(new URL(`${server}/`, import.meta.url))
  .filter((folder) => !notFeatures.has(folder))
  .join('|')

/** @type {[rule: string, violation: Record<string, string>][]} */
export const planted = []

function rule(name, from, to, ...violations) {
  planted.push(...violations.map((violation) => [name, violation]))
  return { name, severity: 'error', from, to }
}

/** No circular imports between folders. Tests are excluded, because they combine features. */
export const folderRules = [
  {
    ...rule(
      'no-circles-between-folders',
      {},
      { circular: true },
      {
        'packages/biochem/src/pdb/a.ts': 'packages/biochem/src/smiles/b.ts',
        'packages/biochem/src/smiles/c.ts': 'packages/biochem/src/pdb/d.ts',
      },
      {
        [`${server}/files/service.ts`]: `${server}/previews/service.ts`,
        [`${server}/previews/store.ts`]: `${server}/files/store.ts`,
      },
    ),
    scope: 'folder',
  },
]

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default {
  forbidden: [
    rule(
      'no-cycles',
      {},
      { circular: true },
      {
        'packages/contract/src/one.ts': 'packages/contract/src/other.ts',
        'packages/contract/src/other.ts': 'packages/contract/src/one.ts',
      },
    ),
    rule(
      'no-unresolved',
      {},
      { couldNotResolve: true, pathNot: 'virtual:|\\.css$' },
      { 'packages/contract/src/a.ts': './nowhere.ts' },
    ),
    rule(
      'declared-dependencies-only',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
      { 'packages/contract/src/a.ts': 'undeclared' },
    ),
    rule(
      'contract-needs-only-zod',
      { path: '^packages/contract/src', pathNot: test },
      { pathNot: '^(packages/contract/src|node_modules/zod)' },
      { 'packages/contract/src/a.ts': 'node:fs' },
    ),
    rule(
      'intake-reads-bytes-only',
      { path: '^packages/intake/src', pathNot: test },
      { pathNot: '^(packages/(intake|contract)/src|node_modules/(csv-parse|fflate))' },
      { 'packages/intake/src/a.ts': 'node:fs' },
      { 'packages/intake/src/b.ts': 'packages/biochem/src/a.ts' },
    ),
    rule(
      'biochem-needs-only-rdkit',
      { path: '^packages/biochem/src', pathNot: test },
      { pathNot: '^(packages/biochem/src|node_modules/@rdkit)' },
      { 'packages/biochem/src/a.ts': 'node:fs' },
    ),
    rule(
      'rdkit-only-for-molecules',
      { path: '^packages/biochem/src/(pdb|parsed)', pathNot: test },
      { path: '@rdkit' },
      { 'packages/biochem/src/pdb/a.ts': '@rdkit/rdkit' },
    ),
    rule(
      'protein-picture-needs-only-biochem',
      { path: '^packages/protein-picture/src', pathNot: test },
      { pathNot: '^packages/(protein-picture|biochem)/src' },
      { 'packages/protein-picture/src/a.ts': 'packages/contract/src/a.ts' },
    ),
    rule(
      'apps-import-no-other-app',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/([^/]+)/', pathNot: '^apps/$1/' },
      { 'apps/web/src/a.ts': `${server}/main/settings.ts` },
    ),
    // apps/server: platform <- audit <- auth <- features <- main, a feature only through its service.
    rule(
      'platform-imports-platform-only',
      { path: `^${server}/platform/`, pathNot: test },
      { path: `^${server}/(?!platform/)` },
      { [`${server}/platform/http/a.ts`]: `${server}/auth/caller.ts` },
    ),
    rule(
      'database-imports-no-http-and-no-jobs',
      { path: `^${server}/platform/db/`, pathNot: test },
      { path: `^${server}/platform/(http|jobs)/` },
      { [`${server}/platform/db/a.ts`]: `${server}/platform/http/route.ts` },
    ),
    rule(
      'audit-imports-platform-only',
      { path: `^${server}/audit/`, pathNot: test },
      { path: `^${server}/(?!platform/|audit/)` },
      { [`${server}/audit/a.ts`]: `${server}/auth/caller.ts` },
    ),
    rule(
      'auth-imports-no-feature',
      { path: `^${server}/auth/`, pathNot: test },
      { path: `^${server}/(?!platform/|audit/|auth/)` },
      { [`${server}/auth/user/a.ts`]: `${server}/credits/service.ts` },
    ),
    rule(
      'auth-internals-are-private',
      { path: `^${server}/(?!auth/(user|admin|dev-identity)/|main/)`, pathNot: test },
      { path: `^${server}/auth/(user|admin|dev-identity)/` },
      { [`${server}/admin-users/a.ts`]: `${server}/auth/admin/passwords.ts` },
    ),
    rule(
      'user-and-admin-auth-are-separate',
      { path: `^${server}/auth/(user|dev-identity|admin)/`, pathNot: test },
      { path: `^${server}/auth/(user|admin)/`, pathNot: `^${server}/auth/$1/` },
      { [`${server}/auth/user/a.ts`]: `${server}/auth/admin/service.ts` },
    ),
    rule(
      'nothing-imports-main',
      { path: `^${server}/(?!main/)`, pathNot: test },
      { path: `^${server}/main/` },
      { [`${server}/files/a.ts`]: `${server}/main/settings.ts` },
    ),
    rule(
      'features-expose-only-their-service',
      { path: `^${server}/(?!main/)([^/]+)/`, pathNot: test },
      { path: `^${server}/(${features})/(?!(parsing/)?service\\.ts$)`, pathNot: `^${server}/$1/` },
      { [`${server}/previews/a.ts`]: `${server}/files/parsing/decode-text.ts` },
    ),
    rule(
      'main-imports-routes-and-services-only',
      { path: `^${server}/main/`, pathNot: test },
      { path: `^${server}/(${features})/(?!(routes|(parsing/)?service)\\.ts$)` },
      { [`${server}/main/a.ts`]: `${server}/files/store.ts` },
    ),
    rule(
      'inference-needs-only-threads',
      { path: `^${server}/inference/`, pathNot: test },
      { path: `^${server}/(?!inference/|platform/jobs/)` },
      { [`${server}/inference/a.ts`]: `${server}/platform/db/schema.ts` },
    ),
    rule(
      'only-inference-loads-the-model',
      { path: '^apps', pathNot: '^apps/server/src/inference/' },
      { path: `^${server}/inference/regression\\.ts$` },
      { [`${server}/predictions/a.ts`]: `${server}/inference/regression.ts` },
    ),
    // Web layers from the bottom: ui and lib; features, which do not import each other; routes; app, the entry point.
    rule(
      'web-ui-imports-react-router-controls-and-schemas-only',
      { path: '^apps/web/src/ui/', pathNot: webTest },
      {
        path: '^packages/|^apps/web/src/(?!ui/)|node_modules/(?!(@types/)?react(-dom|-router)?/|@mantine/|zod/)',
      },
      { 'apps/web/src/ui/a.ts': 'apps/web/src/lib/b.ts' },
      { 'apps/web/src/ui/a.ts': 'undeclared' },
    ),
    rule(
      'web-lib-imports-the-contract-only',
      { path: '^apps/web/src/lib/', pathNot: webTest },
      { path: '^apps/web/src/(?!lib/)' },
      { 'apps/web/src/lib/a.ts': 'apps/web/src/features/auth/b.ts' },
    ),
    rule(
      'web-features-import-no-other-feature',
      { path: '^apps/web/src/features/([^/]+)/', pathNot: webTest },
      { path: '^apps/web/src/features/([^/]+)/', pathNot: '^apps/web/src/features/$1/' },
      { 'apps/web/src/features/files/a.ts': 'apps/web/src/features/auth/b.ts' },
    ),
    rule(
      'web-features-import-no-route',
      { path: '^apps/web/src/features/', pathNot: webTest },
      { path: '^apps/web/src/(routes|app)/' },
      { 'apps/web/src/features/auth/a.ts': 'apps/web/src/routes/login/b.ts' },
    ),
    rule(
      'web-routes-import-no-other-route',
      { path: '^apps/web/src/routes/([^/]+)/', pathNot: webTest },
      { path: '^apps/web/src/(app/|routes/([^/]+)/)', pathNot: '^apps/web/src/routes/$1/' },
      { 'apps/web/src/routes/login/a.ts': 'apps/web/src/routes/results/b.ts' },
    ),
    rule(
      'web-serves-no-test',
      { path: '^apps/web/src/', pathNot: webTest },
      { path: '^apps/web/src/test/' },
      { 'apps/web/src/lib/a.ts': 'apps/web/src/test/b.ts' },
    ),
    rule(
      'web-controls-come-from-ui',
      { path: '^apps/web/src/', pathNot: `${webTest}|^apps/web/src/ui/` },
      { path: '@mantine/core' },
      { 'apps/web/src/routes/login/a.ts': '@mantine/core' },
    ),
    rule(
      'no-node-in-the-browser',
      { path: '^apps/web/src', pathNot: webTest },
      { dependencyTypes: ['core'] },
      { 'apps/web/src/a.ts': 'node:fs' },
    ),
    // Predictions of series, atom contributions and neighbours come from the model as the product runs it.
    rule(
      'training-needs-no-app',
      { path: '^training/(?!export/(score-series|mask-atoms|neighbours)\\.ts$)' },
      { path: '^apps/' },
      { 'training/export/a.ts': `${server}/inference/open-model.ts` },
    ),
    rule(
      'scores-of-the-model-need-inference-only',
      { path: '^training/' },
      { path: '^apps/(?!server/src/inference/)' },
      { 'training/export/mask-atoms.ts': `${server}/main/settings.ts` },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: generated,
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
