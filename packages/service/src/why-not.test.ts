import { createServer, type AddressInfo } from 'node:net'
import { connect } from '@nats-io/transport-node'
import { SettingError } from '@svc/contract'
import { openPool, sql } from '@svc/postgres'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Outage } from './errors.ts'
import { patiently } from './patiently.ts'
import { whyNot } from './why-not.ts'

/** Returns the reason of a start that fails; it has one line. */
async function reasonOf(start: () => Promise<unknown>): Promise<string | null> {
  const reason = await start().then(
    () => 'it started',
    (error: unknown) => whyNot(error),
  )
  expect(reason ?? '').not.toContain('\n')
  return reason
}

test('a missing or invalid setting is named', async () => {
  const start = () => Promise.reject(new SettingError('SVC_PORT is invalid: expected a number.'))
  expect(await reasonOf(start)).toBe('SVC_PORT is invalid: expected a number.')
})

test('a server that is not ready in time is named, with the time', async () => {
  const attempt = () => Promise.reject(new Outage('nats', 'no answer'))
  expect(await reasonOf(() => patiently('NATS at nats://host', attempt, 1))).toMatch(
    /^Waited 0\.001 s for NATS at nats:\/\/host, which is not ready \(nats: no answer\): check .+, then start again\.$/,
  )
})

test('a port that another process uses is named', async () => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as AddressInfo
  const start = () => new Promise((_, reject) => createServer().once('error', reject).listen(port, '127.0.0.1'))
  expect(await reasonOf(start)).toBe(`Port ${port} is in use: stop the process that uses it, or set another port.`)
  first.close()
})

test('NATS or Postgres that refuses the connection is named, without the password', async () => {
  const nats = await reasonOf(() => connect({ servers: 'nats://127.0.0.1:1', reconnect: false, timeout: 5_000 }))
  expect(nats).toMatch(/^NATS cannot be used: .+\. See SVC_NATS_URL and SVC_NATS_SEED\.$/)
  const postgres = await reasonOf(async () => {
    const pool = await openPool('postgres://someone:hunter2@127.0.0.1:1/database', { size: 1 })
    await pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT 1 AS n`)
  })
  expect(postgres).toMatch(/^A dependency cannot be reached: .+\.$/)
  expect(postgres).not.toContain('hunter2')
})

test('a login that Postgres rejects is named, also inside another error', async () => {
  const refused = Object.assign(new Error('password authentication failed for user "mining"'), { code: '28P01' })
  const start = () => Promise.reject(new Error('no connection', { cause: refused }))
  expect(await reasonOf(start)).toBe(
    'Postgres refuses: password authentication failed for user "mining". See SVC_POSTGRES_URL.',
  )
})

test('a bug has no sentence, so that its stack is printed', async () => {
  for (const bug of [new TypeError('x is not a function'), 'a text', null])
    expect(await reasonOf(() => Promise.reject(bug))).toBe(null)
})
