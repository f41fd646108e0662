/** Real files for the first minute. They are fetched here and uploaded like any other. */
import { SampleIndex } from '@pkdex/contract'
import { readAsset } from '#web/lib/api.ts'
import type { UploadKind } from './upload-kinds.ts'

export async function fetchSamples(kind: UploadKind): Promise<File[]> {
  const index = SampleIndex.parse(await (await readAsset('/samples/index.json')).json())
  const names = kind.fileType === 'protein_pdb' ? index.targets : index.compounds
  return Promise.all(names.map(fetchSample))
}

async function fetchSample(name: string): Promise<File> {
  const response = await readAsset(`/samples/${encodeURIComponent(name)}`)
  return new File([await response.blob()], name, { type: 'text/plain' })
}
