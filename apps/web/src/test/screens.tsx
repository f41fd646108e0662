/** A finished screen, its rows, and its page, for tests. */
import { type Call, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { ScreenPage } from '#web/routes/screens/screen-page.tsx'

export const started = {
  id: 's1',
  follow_up_of: null,
  name: null,
  note: '',
  tags: [],
  status: 'DONE',
  total: 3,
  done: 3,
  known: 1,
  credits_charged: 2,
  targets: [{ name: 'src', chain: 'A' }],
  target_count: 1,
  compounds: 3,
  model_version: '1',
  created_at: '2026-11-22T10:00:00Z',
  finished_at: '2026-11-22T10:00:02Z',
  message: null,
  structure_status: null,
  structure_total: null,
  structure_done: null,
  structure_message: null,
  shared_by: null,
  is_shared: false,
  comments: 0,
  commented_at: null,
}

export const row = (place: number, pkd: number | null) => ({
  row: place,
  compound: `C${place}`,
  smiles: 'CCO',
  target: 'src',
  chain: 'A',
  model_version: '1',
  best_kd: pkd,
  best_lower: pkd && pkd - 1,
  best_upper: pkd && pkd + 1,
  predicted_kd: pkd,
  lower: pkd && pkd - 1,
  upper: pkd && pkd + 1,
  in_domain: pkd === null ? null : true,
  domain_state: pkd === null ? null : ('known_on_target' as const),
  is_ligand_driven: null,
  compound_similarity: 0.5,
  target_similarity: 0.9,
  selectivity: null,
  selectivity_error: null,
  reason: pkd === null ? 'The SMILES cannot be read.' : null,
  own_values: null,
})

export const library = {
  'GET /dta/get_protein_names': () => Response.json({ protein_names: ['src'], residues: [274] }),
  'GET /dta/get_compound_names': () => Response.json({ compound_names: ['C1', 'C2', 'C3'] }),
  'GET /file_manager/targets/src': () => new Response('', { status: 404 }),
  'GET /dta/credits': () => Response.json({ credits: 40 }),
  'GET /measurements?target=&page=1&page_size=50': () =>
    Response.json({ measurements: [], targets: [] }),
}

/** A page of rows with their total, as the server returns it. */
export function pageOf(rows: object[], total = rows.length) {
  return () => Response.json({ rows }, { headers: { 'X-Total-Count': String(total) } })
}

export const firstPage = 'GET /screens/s1/results?sort=affinity&page=1&page_size=100'

/** The page of a screen of two rows, with what the test adds. */
export function openScreen(
  handlers: Record<string, (call: Call) => Response | Promise<Response>>,
  search = '',
) {
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/matrix': () =>
      Response.json({ targets: started.targets, compounds: [], best_kd: '', flags: '' }),
    [firstPage]: pageOf([row(2, 8.1), row(1, 7)]),
    ...handlers,
  })
  renderRoutes({ '/screens/:id': <ScreenPage /> }, `/screens/s1${search}`)
  return () => calls.map(({ name }) => name)
}
