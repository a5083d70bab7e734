import { expect, test } from 'vitest'
import { z } from 'zod'
import { loadSettings, setting } from './setting.ts'

const group = {
  blocks: setting({
    env: 'NEW_NAME',
    oldEnv: 'OLD_NAME',
    schema: z.coerce.number().min(1),
    default: '7',
    doc: 'Blocks.',
  }),
}

test('a setting is read by its old name only where the new one is not given', () => {
  expect(loadSettings(group, {}).blocks).toBe(7)
  expect(loadSettings(group, { OLD_NAME: '8' }).blocks).toBe(8)
  expect(loadSettings(group, { OLD_NAME: '8', NEW_NAME: '9' }).blocks).toBe(9)
})

test('a wrong value under the old name is refused with the name to use, and without the value', () => {
  expect(() => loadSettings(group, { OLD_NAME: '0' })).toThrow(/^NEW_NAME is invalid/)
})
