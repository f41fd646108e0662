/** HTTP routes for structural alerts: the user's own patterns, and where a compound matches a pattern. */
import { alertCatalogue } from '@pkdex/biochem'
import {
  type AlertList,
  type FormulaPicture,
  type LocatedAlert,
  locateAlerts,
  readOwnAlerts,
  replaceOwnAlerts,
  type Theme,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import * as own from './own-alerts.ts'
import type { ParsingWorkers } from './parsing/service.ts'

type Dependencies = { db: Database; parsingWorkers: ParsingWorkers }

export function alertRoutes(dependencies: Dependencies): Feature {
  return (app) => {
    route(app, readOwnAlerts, async ({ userId }) => ({
      patterns: await own.readOwnAlerts(dependencies.db, userId),
    }))
    route(app, replaceOwnAlerts, async ({ userId, body }) => ({
      patterns: await own.replaceOwnAlerts(dependencies, userId, body.patterns),
    }))
    route(app, locateAlerts, ({ userId, body }) => locate(dependencies, { userId, ...body }))
  }
}

async function locate(
  { db, parsingWorkers }: Dependencies,
  { userId, smiles: text, theme }: { userId: string; smiles: string; theme: Theme },
) {
  const line = { line: 1, name: 'compound', smiles: text }
  const { compounds, rejected } = await parsingWorkers.readMolecules(userId, [line])
  const smiles = compounds[0]?.report.standard_smiles
  if (smiles === undefined) {
    throw new AppError('file_unreadable', rejected[0]?.reason ?? 'This SMILES cannot be read.')
  }
  const list = await own.readOwnAlerts(db, userId)
  const patterns = list.map(({ smarts }) => smarts)
  const located = await parsingWorkers.locateCompoundAlerts(userId, { smiles, patterns, theme })
  if (!located.ok) throw new AppError('file_unreadable', located.reason)
  const { picture, catalogue, own: matched } = located.value
  const known = catalogue.flatMap(({ pattern, atoms }): LocatedAlert[] => {
    const alert = alertCatalogue[pattern]
    if (alert === undefined) return []
    return [{ list: alert.catalogue as AlertList, name: alert.name, smarts: alert.smarts, atoms }]
  })
  const users = matched.flatMap(({ pattern, atoms }): LocatedAlert[] => {
    const alert = list[pattern]
    return alert === undefined ? [] : [{ list: 'own', ...alert, atoms }]
  })
  return { smiles, picture: toPicture(picture), alerts: [...known, ...users] }
}

type Drawn = { svg: string; width: number; height: number } & Pick<FormulaPicture, 'alt' | 'atoms'>

function toPicture(drawn: Drawn | null): FormulaPicture | null {
  if (drawn === null) return null
  const { svg, ...picture } = drawn
  return { ...picture, image: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}
