import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { openDataFolder } from '@svc/servers'
import { afterEach, expect, test } from 'vitest'
import { writeComposeSecrets } from './compose-secrets.ts'

const path = mkdtempSync(join(tmpdir(), 'svc-compose-'))
afterEach(() => rmSync(path, { recursive: true, force: true }))

/** Writes the secrets into the folder and returns each file's text. */
function written(): Readonly<Record<string, string>> {
  const folder = openDataFolder(path)
  try {
    writeComposeSecrets(folder)
  } finally {
    folder.release()
  }
  const files = readdirSync(path).filter((name) => name !== 'lock')
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(path, name), 'utf8')]))
}

test('each container gets credentials of its own, the same ones at each run', () => {
  const files = written()
  const holders = new Map<string, string[]>()
  for (const { name } of contracts) {
    const text = files[`${name}.env`] ?? ''
    expect(text).toMatch(/^SVC_NATS_SEED=SU/m)
    for (const [, value = ''] of text.matchAll(/^[A-Z_]+=(.*)$/gm))
      if (value !== 'nats://nats:4222') holders.set(value, [...(holders.get(value) ?? []), name])
    expect(statSync(join(path, `${name}.env`)).mode & 0o077).toBe(0)
  }
  expect([...holders.values()].filter((names) => names.length > 1)).toEqual([])
  expect(written()).toEqual(files)
})

test('what NATS and Redis read holds public keys and hashes only', () => {
  const files = written()
  const secrets = JSON.parse(files['secrets.json'] ?? '{}') as Record<string, Record<string, string>>
  const values = Object.values(secrets).flatMap((group) => Object.values(group))
  expect(values.length).toBeGreaterThan(20)
  for (const name of ['nats.conf', 'redis.acl'])
    expect(values.filter((value) => files[name]?.includes(value))).toEqual([])
  expect(files['redis.acl']).not.toMatch(/nopass|allkeys/)
  for (const { name } of contracts) expect(files['nats.conf']).toContain(`# ${name}\n`)
})
