import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openSecretBox } from './secret-box.ts'

const newKey = () => randomBytes(32).toString('base64url')

test('a sealed secret opens for its webhook under its key, and never twice looks the same', () => {
  const box = openSecretBox(newKey(), null)
  const [one, two] = [box.seal('whk_a', 'whsec_x'), box.seal('whk_a', 'whsec_x')]
  expect(one).not.toBe(two)
  expect(one).not.toContain('whsec_x')
  expect(box.open('whk_a', one)).toBe('whsec_x')
})

test('a sealed secret opens for no other webhook, under no other key, and not if it was changed', () => {
  const box = openSecretBox(newKey(), null)
  const sealed = box.seal('whk_a', 'whsec_x')
  expect(box.open('whk_b', sealed)).toBeNull()
  expect(openSecretBox(newKey(), newKey()).open('whk_a', sealed)).toBeNull()
  expect(box.open('whk_a', `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`)).toBeNull()
  expect(box.open('whk_a', `${box.keyName}.`)).toBeNull()
})

test('after a change of the key the previous one still opens, and the new one seals', () => {
  const [former, next] = [newKey(), newKey()]
  const sealed = openSecretBox(former, null).seal('whk_a', 'whsec_x')
  const box = openSecretBox(next, former)
  expect(box.open('whk_a', sealed)).toBe('whsec_x')
  expect(openSecretBox(next, null).open('whk_a', box.seal('whk_a', 'whsec_x'))).toBe('whsec_x')
})
