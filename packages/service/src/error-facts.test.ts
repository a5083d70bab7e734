import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorFacts, errorLines } from './error-facts.ts'

const HASH = `0x${randomBytes(32).toString('hex')}`

test('an error is told with its name, message, code, stack and chain of causes', () => {
  const cause = Object.assign(new TypeError('the cause'), {
    code: '23505',
    constraint: 'once',
    detail: 'Key (mail)=(a@b)',
  })
  const facts = errorFacts(new RangeError(`about ${HASH}`, { cause }))
  expect(facts).toMatchObject({
    type: 'RangeError',
    message: `about ${HASH}`,
    stack: expect.stringContaining('error-facts.test.ts'),
    cause: { type: 'TypeError', message: 'the cause', code: '23505', constraint: 'once' },
  })
  expect(JSON.stringify(facts)).not.toContain('a@b')
  expect(errorLines(facts).find((line) => line.startsWith('caused by'))).toBe(
    'caused by TypeError: the cause code=23505 constraint=once',
  )
  expect(errorFacts('thrown text')).toEqual({ type: 'string', message: 'thrown text' })
})

test.each([
  'postgres://mining:hunter2@db/mining refused',
  'authorization: Bearer hunter2',
  'sent Bearer hunter2 in vain',
  '{"password":"hunter2","user":"x"}',
  "{ token: 'hunter2' }",
  'seed=hunter2&x=1',
  `key ${'ab'.repeat(32)}`,
  `signature 0x${'ab'.repeat(65)}`,
  `nkey SU${'A'.repeat(56)}`,
  'jwt eyJhbGciOi.eyJzdWIi.c2ln',
])('no secret is told: %s', (text) => {
  const told = JSON.stringify(errorFacts(new Error(text, { cause: new Error(text) })))
  expect(told).toContain('[secret]')
  expect(told).not.toMatch(/hunter2|(?:ab){20}|A{56}|eyJ/)
})

test('an error takes a bounded number of bytes, whatever its texts, issues and causes are, and no control characters but line feeds', () => {
  let error = new Error('the first')
  for (let at = 0; at < 50; at += 1) {
    error = new Error('é\u001b[2J'.repeat(100_000), { cause: error })
    Object.assign(error, { issues: Array.from({ length: 10_000 }, () => ({ message: 'x' })) })
  }
  const facts = errorFacts(error)
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(32_000)
  expect(errorLines(facts).join('')).not.toContain('\u001b')
  const circular: Error & { cause?: unknown } = new Error('itself')
  circular.cause = circular
  expect(errorLines(errorFacts(circular)).filter((line) => line.includes('itself'))).toHaveLength(5)
})
