/** Reads `OIDC_PROVIDERS`: a JSON list of OpenID Connect providers. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { OidcProvider } from '#server/auth/user/oidc.ts'

const Provider = z
  .strictObject({
    name: z.string().trim().min(1).max(60),
    issuer: z
      .url('write the address of the provider')
      .refine((issuer) => isSafe(new URL(issuer)), 'must begin with https'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    client_secret_file: z.string().min(1).optional(),
    domains: z.array(z.string().toLowerCase()).default([]),
    trusts_email: z.boolean().default(false),
  })
  .refine((one) => one.client_secret === undefined || one.client_secret_file === undefined, {
    message: 'set client_secret or client_secret_file, not both',
  })

/** Without encryption anyone on the way could answer in the provider's name. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const Providers = z
  .array(Provider)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'two providers have the same name',
  )

/** The text may contain secrets, so no message quotes it. */
export const oidcProviders = z.string().transform((text, context): OidcProvider[] => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (text === '') return []
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return refuse('write a JSON list')
  }
  const read = Providers.safeParse(list)
  if (!read.success) {
    return refuse(
      read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    )
  }
  try {
    return read.data.map((one) => ({
      name: one.name,
      issuer: one.issuer,
      clientId: one.client_id,
      clientSecret:
        one.client_secret_file === undefined
          ? one.client_secret
          : readFileSync(one.client_secret_file, 'utf8').trim(),
      domains: one.domains,
      isEmailTrusted: one.trusts_email,
    }))
  } catch (error) {
    return refuse(`client_secret_file: ${error instanceof Error ? error.message : String(error)}`)
  }
})
