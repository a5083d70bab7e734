import { setTimeout as delay } from 'node:timers/promises'
import type { GasDrip } from '@svc/contracts/keeper/drips'
import { sql } from '@svc/postgres'
import { eventually, opened, testProcesses, type RpcFault } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DRIP, funder, startDripRig, type Account } from './drip-rig.ts'

const long = process.env['TEST_LONG'] === '1'

const drips = opened(() => startDripRig())
const processes = testProcesses(new URL('../../src/main.ts', import.meta.url), () => drips.environment())

const count = (query: ReturnType<typeof sql.unsafe>) => drips.rig.pool.oneFirst(query) as Promise<number>
const paid = async ({ wallet }: Account) => (await drips.balanceOf(wallet)) > 0n
const signed = ({ wallet }: Account) =>
  count(sql.type(z.object({ count: z.number() }))`
  SELECT count(*) FROM attempt a JOIN transaction t ON t.id = a.transaction_id WHERE t.vault = ${wallet}`)
const granted = ({ wallet }: Account) =>
  count(sql.type(z.object({ count: z.number() }))`SELECT count(*) FROM gas_grant WHERE address = ${wallet}`)
const called = ({ id }: Account) =>
  count(sql.type(z.object({ count: z.number() }))`SELECT count(*) FROM gas_drip_call WHERE account_id = ${id}`)

/** Where a process dies, and the fault that keeps it there. */
const moments: readonly {
  readonly fault: RpcFault | null
  readonly reached: (account: Account) => Promise<boolean>
}[] = [
  {
    fault: { kind: 'slow', ms: 2_000, methods: ['eth_estimateGas'] },
    reached: async (account) => (await granted(account)) > 0,
  },
  {
    fault: { kind: 'dropped', methods: ['eth_sendRawTransaction'] },
    reached: async (account) => (await signed(account)) > 0,
  },
  { fault: null, reached: paid },
  // The pause of ten seconds between two calls has to pass after the last one.
  ...(long
    ? [
        {
          fault: { kind: 'slow', ms: 700, methods: ['eth_sendRawTransaction'] } as const,
          reached: async (account: Account) => (await signed(account)) > 0,
        },
        {
          fault: { kind: 'slow', ms: 2_000, methods: ['eth_getBalance'] } as const,
          reached: async (account: Account) => (await called(account)) > 0,
        },
      ]
    : []),
]

test('a process killed after the call, the grant, the signature, the broadcast or the block pays each drip once, and the same key gets its answer', async () => {
  const opening = await drips.balanceOf(funder.address)
  const accounts: Account[] = []
  let standing = await processes.start()
  for (let round = 0; round < (long ? 3 : 1); round++)
    for (const { fault, reached } of moments) {
      const one = drips.account()
      accounts.push(one)
      const key = `key-${one.id}`
      const heal = fault === null ? () => {} : drips.chain.proxy.inject(fault)
      let failure = 'no call failed'
      // A call that ended before the moment is repeated; that of the killed process is not.
      const call = (): Promise<GasDrip | null> =>
        drips.drip(one, { key, withinMs: 5_000 }).catch(async (error: unknown) => {
          failure = String(error)
          if (await reached(one)) return null
          await delay(500)
          return call()
        })
      const asked = call()
      await eventually(async () => expect(await reached(one), failure).toBe(true), { everyMs: 2 })
      await processes.kill(standing)
      heal()
      standing = await processes.start()
      const again = await eventually(
        async () => {
          const answer = await drips.drip(one, { key, withinMs: 5_000 })
          expect(answer.status).toBe('sent')
          return answer
        },
        { everyMs: 200 },
      )
      // Before the next moment, so that no call of this one is on its way then.
      expect([null, again]).toContainEqual(await asked)
    }
  const fees = async () => {
    const rows = await drips.rig.pool.any(
      sql.type(z.object({ outcome: z.string().nullable(), fee_wei: z.string().nullable() }))`
        SELECT outcome, fee_wei FROM transaction`,
    )
    expect(rows.map(({ outcome }) => outcome)).toEqual(accounts.map(() => 'done'))
    return rows.reduce((sum, { fee_wei }) => sum + BigInt(fee_wei ?? 0), 0n)
  }
  await eventually(fees)
  for (const { wallet } of accounts) expect(await drips.balanceOf(wallet)).toBe(DRIP)
  const spent = BigInt(accounts.length) * DRIP + (await fees())
  expect(opening - (await drips.balanceOf(funder.address))).toBe(spent)
  expect(await drips.chain.chain.client.getTransactionCount({ address: funder.address })).toBe(accounts.length)
  expect(await processes.stop(standing)).toBe(0)
})
