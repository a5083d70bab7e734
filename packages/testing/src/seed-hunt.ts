import { hkdfSync } from 'node:crypto'
import { withClient } from '@svc/servers'
import { expect } from 'vitest'

/** What a test looks for: a seed, and the private keys that follow from it. */
export interface Seed {
  readonly seed: string
  /** Salt of the derivation, such as `svc/hl-leg/v1`. */
  readonly salt: string
}

/** Returns the seed and the private keys of ids, in every form in which they could be written. */
function secretsOf({ seed, salt }: Seed, ids: readonly string[]): string[] {
  const bytesOfSeed = Buffer.from(seed, 'hex')
  const keys = ids.flatMap((id) =>
    [0, 1, 2].map((epoch) => Buffer.from(hkdfSync('sha256', bytesOfSeed, salt, `${id}|${epoch}|0`, 32))),
  )
  return [bytesOfSeed, ...keys].flatMap((bytes) => [
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    JSON.stringify([...bytes]).slice(1, -1),
    BigInt(`0x${bytes.toString('hex')}`).toString(),
  ])
}

export const foundIn = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))

/** Expects that neither the seed nor a key of the ids occurs in any of the texts, named by their places. */
export function expectNowhere(seed: Seed, ids: readonly string[], texts: Readonly<Record<string, string>>): void {
  const secrets = secretsOf(seed, ids)
  for (const [place, text] of Object.entries(texts)) expect([place, foundIn(text, secrets)]).toEqual([place, []])
}

/** Returns all rows of a schema as text. */
export function allRows(superuserUrl: string, schema: string): Promise<string> {
  return withClient(superuserUrl, async (client) => {
    const tables = await client.query<{ tablename: string }>('SELECT tablename FROM pg_tables WHERE schemaname = $1', [
      schema,
    ])
    const texts: string[] = []
    for (const { tablename } of tables.rows) {
      const { rows } = await client.query(`SELECT row_to_json(t)::text AS row FROM ${schema}.${tablename} t`)
      texts.push(JSON.stringify(rows))
    }
    return texts.join('\n')
  })
}

/** Returns a list, and a function that adds to it the answer of a call, or all that its error says. */
export function listener(): { readonly told: unknown[]; ask(call: () => Promise<unknown>): Promise<void> } {
  const told: unknown[] = []
  return {
    told,
    ask: async (call) => {
      try {
        told.push(await call())
      } catch (error) {
        told.push(String(error instanceof Error ? error.stack : error), JSON.stringify(error))
      }
    },
  }
}
