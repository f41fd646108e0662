/** Another client of a PostgreSQL server, for what tests do to the product's databases and connections. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const queryServer = (url: string, query: string) =>
  withClient(url, async (client) => (await client.query(query)).rows)

/** An empty database on this server, dropped afterwards. */
export function withEmptyDatabase<T>(
  server: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = `pkdex_test_${randomUUID().replaceAll('-', '')}`
  return withClient(server, async (client) => {
    await client.query(`create database ${name}`)
    try {
      return await work(urlOfDatabase(server, name))
    } finally {
      await client.query(`drop database ${name} with (force)`)
    }
  })
}

export function urlOfDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = name
  return url.href
}
