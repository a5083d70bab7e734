import { loadSettings, type SettingDeclaration } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'

/** Returns the value of a setting for a text; the error message if the text is rejected. */
function valueOf(setting: SettingDeclaration, text: string): unknown {
  try {
    return loadSettings({ setting }, { [setting.env]: text }).setting
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const declared = contracts.flatMap(({ settings }) => Object.values(settings as Record<string, SettingDeclaration>))
const byName = new Map(declared.map((setting) => [setting.env, setting]))
const switches = [...byName.values()].filter(
  (setting) => typeof valueOf(setting, '1') === 'boolean' && typeof valueOf(setting, '0') === 'boolean',
)
/** Computed from what is stored, and nothing moves: a pass of the Hall, the root over all balances. */
const COMPUTED = ['SVC_HALL_SNAPSHOT_DRY_RUN', 'SVC_BALANCE_ROOT_DRY_RUN']
/** Switches whose accidental loss cannot be undone: held money, an untouched chain, observed attempts. */
const protecting = switches.filter(
  ({ env }) =>
    (env.endsWith('_DRY_RUN') && !COMPUTED.includes(env)) ||
    ['HUB_APPROVAL_ENABLED', 'HUB_VAULT_EVENTS_REVERTS'].includes(env),
)

test('the contracts declare switches', () => {
  expect(switches.length).toBeGreaterThanOrEqual(8)
  expect(protecting.length).toBeGreaterThanOrEqual(6)
})

test.each(switches.map((setting) => [setting.env, setting] as const))(
  'a word that is neither on nor off fails the start and names %s',
  (env, setting) => {
    for (const text of ['ture', 'flase', 'enabled', '2', 'live'])
      expect(valueOf(setting, text)).toMatch(new RegExp(`^${env} is invalid: must be one of`))
  },
)

test.each(switches.map((setting) => [setting.env, setting] as const))(
  '%s accepts every switch word',
  (_env, setting) => {
    expect(['1', 'true', 'YES', ' on '].map((text) => valueOf(setting, text))).toEqual([true, true, true, true])
    expect(['0', 'False', 'no', 'off'].map((text) => valueOf(setting, text))).toEqual([false, false, false, false])
  },
)

test.each(protecting.map((setting) => [setting.env, setting] as const))(
  '%s protects: it is on if it is not set or empty',
  (_env, setting) => {
    expect(valueOf(setting, '')).toBe(true)
    expect(loadSettings({ setting }, {}).setting).toBe(true)
  },
)
