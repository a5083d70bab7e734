import { expect, test } from 'vitest'
import { paymasterNote } from './paymaster-note.ts'

const none = { paymasterUrl: null, paymasterKey: null, paymasterMethod: null }

test('a start names the missing address of a paymaster, and never claims that gas is sponsored', () => {
  expect(paymasterNote(none)).toBeNull()
  for (const part of [{ paymasterMethod: 'pm_sponsor' }, { paymasterKey: 'k' }])
    expect(paymasterNote({ ...none, ...part })).toMatch(
      /^a paymaster needs SVC_PAYMASTER_URL, .* no transaction is sponsored$/,
    )
  const url = { ...none, paymasterUrl: 'https://paymaster.example' }
  expect(paymasterNote(url)).toMatch(/not active: no transaction is sponsored$/)
})
