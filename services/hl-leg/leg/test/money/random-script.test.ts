import { Outage } from '@svc/service'
import { opened } from '@svc/testing'
import type { Bytes, Cast, FaultyPeer, Step, TestProcess } from '@svc/outbound/testing'
import { playScript, quietStep, script } from '@svc/outbound/testing'
import type { VenueClient } from '@svc/venue/venue-client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Context } from '#context.ts'
import { moveMoney, newTransferId } from '#money/move-money.ts'
import { CLAIM_MS, venueTransfers } from '#money/send-transfer.ts'
import {
  findTransfer,
  insertTransfer,
  lockTransfer,
  transfersOf,
  type Transfer,
  type venueTransferKind,
} from '#money/store/transfers.ts'
import { transferAdapter } from '#money/transfer-adapter.ts'
import { CHAIN_ID, hash, pool as house, startMoneyRig, VAULT } from './money-rig.ts'

const money = opened(() => startMoneyRig())
/** The venue admits a nonce so long. */
const ADMITTED_MS = 2 * 86_400_000
let serial = 0

/** Stores a funding whose money lies on the chain, of a mandate and an owner of its own. */
async function funding(nowMs: number): Promise<Transfer> {
  serial += 1
  const now = new Date(nowMs)
  const transfer_id = newTransferId()
  const public_id = `mdt_${serial.toString(16).padStart(32, '0')}`
  const owner_address = `0x${serial.toString(16).padStart(40, '0')}` as const
  const place = { network: 'testnet', owner_address, chain_id: CHAIN_ID, vault: VAULT } as const
  const given = { transfer_id, public_id, kind: 'fund', ...place, amount: 20_000_000n, last: false, ref: null } as const
  await money.rig.pool.transaction(async (tx) => {
    await insertTransfer(tx, given, now)
    const locked = (await lockTransfer(tx, transfer_id)) ?? expect.fail('not stored')
    await moveMoney(tx, locked, 'chain_seen', { nonce: nowMs }, now)
  })
  return (await findTransfer(money.rig.pool, transfer_id)) ?? expect.fail('not stored')
}

/** Replaced blocks take away what the vault paid, before the pool signed. */
async function cancel({ transfer_id }: Transfer): Promise<void> {
  await money.rig.pool.transaction(async (tx) => {
    for (const event of ['chain_lost', 'chain_failed'] as const) {
      const locked = (await lockTransfer(tx, transfer_id)) ?? expect.fail('gone')
      if (locked.venue === 'none') await moveMoney(tx, locked, event, {}, new Date())
    }
  })
}

/** A venue whose ledger knows the one transfer of a script. */
function venueOf(process: TestProcess, peer: FaultyPeer, { owner_address, amount, id }: Transfer): VenueClient {
  const asked = async <T>(question: () => T): Promise<T> => {
    await process.point()
    const answer = question()
    await process.point()
    return answer
  }
  const entry = (usdc: string) => ({
    time: peer.now,
    hash: hash(id),
    delta: { type: 'internalTransfer', usdc, user: house.address, destination: owner_address },
  })
  const answers: Readonly<Record<string, () => unknown>> = {
    exchangeStatus: () => ({ time: peer.now }),
    userNonFundingLedgerUpdates: () => {
      const { says, executed } = peer.look()
      if (executed !== null) return [entry(String(Number(amount) / 1e6))]
      // An entry that is like ours but for the amount proves nothing.
      return says === 'done' ? [entry('19')] : []
    },
  }
  const sent = (bytes: Bytes) => {
    try {
      return peer.send(bytes)
    } catch {
      return 'lost'
    }
  }
  const venue: Pick<VenueClient, 'ask' | 'send'> = {
    ask: (_, type) => asked(() => answers[type]?.() as never),
    send: (_, { body }) =>
      asked(() => {
        switch (sent(JSON.parse(body) as Bytes)) {
          case 'done':
            return { kind: 'accepted', orders: [] } as never
          case 'refused':
          case 'found nothing':
            return { kind: 'refused', reason: 'no', cause: 'other' } as never
          case 'over':
            return { kind: 'retriable', reason: 'busy' } as never
          case 'unclear':
            return { kind: 'landed' } as never
          case 'lost':
            return { kind: 'unknown', reason: 'no answer' } as never
        }
      }),
  }
  return venue as VenueClient
}

/** The context of a process whose statements are points at which it may die. */
function contextOf(process: TestProcess, venue: VenueClient): Context {
  const transaction = process.transaction((work) => money.rig.pool.transaction(work))
  const query: typeof money.rig.pool.query = (statement) => transaction((tx) => tx.query(statement))
  const pool = Object.create(money.rig.pool, {
    transaction: { value: transaction },
    query: { value: query },
  }) as unknown
  return Object.create(money.rig.context, {
    pool: { value: pool },
    clock: { value: process.clock },
    venue: { value: venue },
  }) as Context
}

test('leg money arrives at most once and its transfer ends as what became of it, whatever the venue and the processes do', async () => {
  let transfer = await funding(Date.parse('2026-11-29T12:00:00Z'))
  const cast: Cast<(typeof venueTransferKind)['row']> = {
    newEffect: async (nowMs) => {
      transfer = await funding(nowMs)
      return transfer.id
    },
    machineOf: (process) => venueTransfers(contextOf(process, money.rig.context.venue)),
    adapterOf: (process, peer, { plan }) => {
      const context = contextOf(process, venueOf(process, peer, transfer))
      const { nonce } = transfer
      const body = () => JSON.stringify({ kind: 'call', serial: (serial += 1), validUntil: (nonce ?? 0) + ADMITTED_MS })
      // The half on the chain ended the transfer.
      const deny = () => {
        throw new Outage('test', 'the transfer may not be sent')
      }
      if (plan === 'sign') return transferAdapter(context, { body: body(), deny })
      const adapter = transferAdapter(context, null)
      if (plan === 'wait') return adapter
      const giveUp: typeof adapter.plan = async (row) => {
        await cancel(transfer)
        return adapter.plan({ ...row, open: false })
      }
      return { ...adapter, plan: giveUp }
    },
    transaction: (work) => money.rig.pool.transaction(work),
    claimMs: CLAIM_MS,
  }
  // The venue refuses the second copy, and then the first one arrives.
  const overtaken: readonly Step[] = [
    { ...quietStep, send: 'late' },
    { ...quietStep, send: 'refused' },
  ]
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const { row, faults } = await playScript(cast, steps)
      expect(faults).toEqual([])
      const venues = { done: 'landed', refused: 'refused', expired: 'refused', abandoned: 'none' } as const
      expect(row.venue).toBe(venues[row.effect_outcome as keyof typeof venues])
      const backs = (await transfersOf(money.rig.pool, [row.public_id])).filter(({ kind }) => kind === 'turn_back')
      expect(backs, 'what the venue refused is given back once').toHaveLength(row.venue === 'refused' ? 1 : 0)
    }),
    {
      numRuns: process.env['TEST_LONG'] === '1' ? 2_000 : 60,
      seed: Number(process.env['TEST_SEED'] ?? 12),
      examples: [[overtaken]],
    },
  )
})
