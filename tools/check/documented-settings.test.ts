import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings, placeOf, type SettingDeclaration } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { postgresSettings, serviceSettings } from '@svc/contracts/settings'
import { expect, test } from 'vitest'
import { documentedSettings } from './documented-settings.ts'

const root = join(import.meta.dirname, '../..')
const groups: Record<string, SettingDeclaration>[] = [
  serviceSettings,
  postgresSettings,
  ...contracts.map(({ settings }) => settings as Record<string, SettingDeclaration>),
]
const declared = new Map(
  groups.flatMap((group) =>
    Object.values(group).flatMap((one) =>
      [one.env, ...(one.oldEnv === undefined ? [] : [one.oldEnv])].map((name) => [name, one] as const),
    ),
  ),
)
const promised = Object.keys(documentedSettings)

/** Sources of a folder, tests left out. */
function sources(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n')
}
const kit = ['service', 'postgres', 'edge', 'chain', 'venue'].map((name) => sources(`packages/${name}/src`)).join('\n')

test('all 104 promised settings are accounted for', () => {
  expect(promised.length).toBe(104)
})

test.each(promised)('%s is declared, listed in the generated table, and has the promised default', (name) => {
  const setting = declared.get(name)
  if (setting === undefined) throw new Error(`No service declares ${name}`)
  expect(readFileSync(join(root, 'docs/api/settings.md'), 'utf8')).toContain(`\`${name}\``)
  const text = documentedSettings[name]
  if (text === undefined) return
  const byDefault = loadSettings({ setting }, {}).setting
  expect(byDefault).toEqual(text === null ? null : loadSettings({ setting }, { [setting.env]: text }).setting)
})

/** Switches of routes, which the edge reads through the declaration of the operation. */
const flags: ReadonlySet<unknown> = new Set(
  contracts.flatMap(({ operations }) =>
    Object.values(operations).flatMap(({ flag, toolSwitches = [] }) => [flag?.setting, ...toolSwitches]),
  ),
)

test.each(contracts.map((contract) => [contract.name, contract] as const))(
  '%s reads every setting that it declares',
  (name, contract) => {
    const { settings } = contract
    const read = `${sources(placeOf(contract).sources)}\n${kit}`
    // A name in a family of settings, such as `baseUrl_binance`, is read through the part before the underscore.
    const named = Object.entries(settings as Record<string, SettingDeclaration>)
    const keys = named.filter(([, one]) => name !== 'gateway' || !flags.has(one)).map(([key]) => key)
    const unread = keys.filter((key) => !new RegExp(`\\b${key.split('_', 1)[0]}(_|\\b)`).test(read))
    expect(unread).toEqual([])
  },
)
