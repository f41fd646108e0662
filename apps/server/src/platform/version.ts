/** The version of the product, as in every package.json. */
import { readFileSync } from 'node:fs'

const manifest = new URL('../../package.json', import.meta.url)

export const version = String(JSON.parse(readFileSync(manifest, 'utf8')).version)
