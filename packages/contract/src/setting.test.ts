import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { loadSettings, SECRETS_DIR, setting, settingNames, undeclaredNames } from './setting.ts'

const group = {
  blocks: setting({
    env: 'NEW_NAME',
    oldEnv: 'OLD_NAME',
    schema: z.coerce.number().min(1),
    default: '7',
    doc: 'Blocks.',
  }),
}

test('a setting is read by its old name only if the new one is not set', () => {
  expect(loadSettings(group, {}).blocks).toBe(7)
  expect(loadSettings(group, { OLD_NAME: '8' }).blocks).toBe(8)
  expect(loadSettings(group, { OLD_NAME: '8', NEW_NAME: '9' }).blocks).toBe(9)
})

test('a wrong value under the old name is rejected with the new name and without the value', () => {
  expect(() => loadSettings(group, { OLD_NAME: '0' })).toThrow(/^NEW_NAME is invalid/)
})

test('the error for an unreadable file of a setting does not contain its path', () => {
  expect(() => loadSettings(group, { NEW_NAME_FILE: '/nowhere/secret-folder' })).toThrow(
    'NEW_NAME cannot be read: its file is missing or not readable.',
  )
})

test('undeclared names that look like settings are reported, except files and old names of declared ones', () => {
  const declared = settingNames([group, { other: setting({ env: 'SVC_KNOWN', schema: z.string(), doc: 'Known.' }) }])
  const environment = {
    SVC_KNOWN_FILE: 'x',
    NEW_NAME: '1',
    OLD_NAME: '1',
    HUB_LEG_FUNDNIG: '1',
    SVC_X: '',
    PATH: '/bin',
  }
  expect(undeclaredNames(environment, declared)).toEqual(['HUB_LEG_FUNDNIG', 'SVC_X'])
})

test('a secret is the text of its file in the folder of secrets; empty or missing, it is not set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    const schema = z.string()
    const secrets = {
      seed: setting({ env: 'SVC_SEED', schema, default: null, secret: true, doc: 'Seed.' }),
      place: setting({ env: 'SVC_PLACE', schema, default: 'here', doc: 'Place.' }),
    }
    const environment = { [SECRETS_DIR]: folder }
    expect(loadSettings(secrets, environment)).toEqual({ seed: null, place: 'here' })
    writeFileSync(join(folder, 'SVC_SEED'), '\n')
    expect(loadSettings(secrets, environment).seed).toBeNull()
    for (const name of ['SVC_SEED', 'SVC_PLACE']) writeFileSync(join(folder, name), 'of the file\n')
    expect(loadSettings(secrets, environment)).toEqual({ seed: 'of the file', place: 'here' })
    expect(loadSettings(secrets, { ...environment, SVC_SEED: 'given' }).seed).toBe('given')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
