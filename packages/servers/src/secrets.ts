import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUser, fromSeed } from '@nats-io/nkeys'
import type { DataFolder } from './data-folder.ts'
import { ServerProblem } from './problem.ts'

/**
 * The local secrets of a data folder (`secrets.json`, mode 0600). The first request for a secret creates it and writes the
 * file before it returns; later requests return the same value.
 */
export interface Secrets {
  /** Returns 256 random bits in base64url (43 characters). */
  password(name: string): string
  /** Returns the nkey of a NATS user. */
  nkey(name: string): { readonly seed: string; readonly publicKey: string }
}

interface SecretsFile {
  readonly passwords: Record<string, string>
  readonly nkeys: Record<string, string>
}

const kinds = ['passwords', 'nkeys'] as const

/** Opens the secrets of a data folder. Throws `ServerProblem` if the file is damaged. */
export function openSecrets(folder: DataFolder): Secrets {
  const content = parse(folder)
  const keep = (kind: (typeof kinds)[number], name: string, make: () => string) => {
    const known = content[kind][name]
    if (known !== undefined) return known
    const made = make()
    content[kind][name] = made
    folder.write('secrets.json', `${JSON.stringify(content, null, 2)}\n`)
    return made
  }
  return {
    password: (name) => keep('passwords', name, () => randomBytes(32).toString('base64url')),
    nkey: (name) => {
      const seed = keep('nkeys', name, () => new TextDecoder().decode(createUser().getSeed()))
      return { seed, publicKey: fromSeed(new TextEncoder().encode(seed)).getPublicKey() }
    },
  }
}

function parse(folder: DataFolder): SecretsFile {
  const value = folder.readJson('secrets.json') ?? { passwords: {}, nkeys: {} }
  const complete =
    typeof value === 'object' &&
    kinds.every((kind) => {
      const group: unknown = Reflect.get(value, kind)
      return (
        typeof group === 'object' &&
        group !== null &&
        Object.values(group).every((secret) => typeof secret === 'string')
      )
    })
  if (!complete) {
    throw new ServerProblem(
      `${folder.file('secrets.json')} is damaged: restore it from a backup, or remove the data folder ${folder.path} to start over.`,
    )
  }
  return value as SecretsFile
}

/** Reads a password of a folder that another process may use; returns null if the name is unknown. */
export function readPassword(dataDir: string, name: string): string | null {
  try {
    const { passwords } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as SecretsFile
    return passwords[name] ?? null
  } catch {
    return null
  }
}
