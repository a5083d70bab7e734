import { expect, test } from 'vitest'
import { redactor } from './redact.ts'

test('no part of an address that may be a key is left in a text', () => {
  const redact = redactor('https://user-name:pass-word@k9x8c7.provider.example/v3/0123456789abcdef?token=s3cr3t-t0k3n')
  const echo = redact(
    'no access for 0123456789abcdef (token s3cr3t-t0k3n, user-name/pass-word) at https://k9x8c7.provider.example/v3/0123456789abcdef',
  )
  for (const secret of ['0123456789abcdef', 's3cr3t', 'user-name', 'pass-word', 'k9x8c7', 'provider'])
    expect(echo).not.toContain(secret)
  expect(redact('execution reverted: too much requested')).toBe('execution reverted: too much requested')
})

test('percent-encoded secrets are found in either form', () => {
  const redact = redactor('http://127.0.0.1/a%2Bb%2Bc%2Bd')
  expect(redact('a+b+c+d or a%2Bb%2Bc%2Bd')).toBe('<redacted> or <redacted>')
})
