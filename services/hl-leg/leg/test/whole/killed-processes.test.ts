import type { ChildProcess } from 'node:child_process'
import { RefusalError } from '@svc/contract'
import { sql } from '@svc/postgres'
import { Outage, RemoteRefusal } from '@svc/service'
import { commitGate, eventually, opened, testProcesses, type CutMoment } from '@svc/testing'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import { newTransferId, pool, CHAIN_ID, startMoneyRig, VAULT } from '../money/money-rig.ts'
import { asAgent, withBooks, type BookedRig } from '../orders/order-rig.ts'
import { ownerWallet } from '../rig.ts'

const LONG = process.env['TEST_LONG'] === '1'
/** A short run kills at each so many commits, before and after by turns. */
const EACH = LONG ? 1 : 16
const MOMENTS: readonly CutMoment[] = ['before', 'after']
/** Commits that store a step of an order or of a transfer. */
const STEP = /\b(leg_order|transfer)\b/

const money = opened(() => startMoneyRig())
const gate = opened(() => commitGate(money.rig.stack.databaseOf('hl-leg').url))
const processes = testProcesses(new URL('../../src/main.ts', import.meta.url), () =>
  money.rig.environment({ SVC_POSTGRES_URL: gate.url, SVC_LOG_LEVEL: 'silent' }),
)
let booked: BookedRig
beforeAll(async () => {
  booked = withBooks(money.rig)
  await money.rig.end()
  // Processes go by the time of the machine, and so does the venue.
  money.rig.clock.set(new Date())
  money.rig.venue.state.realClock = true
})

/** A process of the service that is killed at a commit, and the one that takes its place. */
class Lives {
  readonly #at: number
  readonly #moment: CutMoment
  #child: ChildProcess | null = null
  #died = Promise.withResolvers<'died'>()
  deaths = 0

  constructor(at: number, moment: CutMoment) {
    this.#at = at
    this.#moment = moment
  }

  async begin(): Promise<void> {
    this.#child = await processes.start()
  }

  /** From now on the process is killed at its commit. */
  arm(): void {
    const kill = () => {
      this.#child?.kill('SIGKILL')
      this.#died.resolve('died')
    }
    gate.cutAt(this.#at, this.#moment, kill, STEP)
  }

  /** Does something until a process has answered; a refusal in the meantime is one of a call that is still in work. */
  async insist<T>(step: () => Promise<T>, isDone: (answer: T) => boolean = () => true): Promise<T> {
    const done = await eventually(async () => {
      const end = await Promise.race([tried(step()), this.#died.promise])
      if (end === 'died') await this.#restart()
      else if (end !== null && isDone(end.answer)) return { answer: end.answer }
      return false
    })
    if (done === false) throw new Error('it was given up')
    return done.answer
  }

  async #restart(): Promise<void> {
    this.deaths += 1
    this.#died = Promise.withResolvers()
    gate.open()
    // What the process had claimed is free after half a minute.
    await money.rig.pool.query(sql.unsafe`
      UPDATE leg_order SET claimed_at = claimed_at - interval '1 minute', effect_next_at = now(), effect_claim_until = now()
      WHERE effect_informed_at IS NULL`)
    await money.rig.pool.query(
      sql.unsafe`UPDATE transfer SET effect_claim_until = now() WHERE effect_claim IS NOT NULL`,
    )
    await this.begin()
  }

  async end(): Promise<void> {
    gate.open()
    if (this.#child !== null) await processes.kill(this.#child)
  }
}

async function tried<T>(call: Promise<T>): Promise<{ readonly answer: T } | null> {
  try {
    return { answer: await call }
  } catch (error) {
    if (error instanceof RefusalError || error instanceof RemoteRefusal || error instanceof Outage) return null
    throw error
  }
}

/** An open, a close, a funding and a return of one leg. */
async function playLife(lives: Lives, ownerId: number): Promise<void> {
  const { rig, keeper } = money
  await lives.begin()
  rig.clock.set(new Date())
  const mandate = await money.leg(ownerId)
  const { public_id } = mandate
  const leg = { publicId: public_id, ownerId, agentId: mandate.agent_id ?? 0, account: accountOf(ownerId) }
  lives.arm()

  const order = (key: string, body: { side: 'buy' | 'sell'; size: string; reduce_only: boolean }) =>
    lives.insist(
      () => asAgent(rig, leg, key).placeLegOrder({ public_id, market: 'hl:BTC', ...body }),
      (answer) => 'order' in answer,
    )
  const filled = { order: { status: 'filled' }, receipt: expect.any(String) }
  expect(await order('open', { side: 'buy', size: '0.001', reduce_only: false })).toMatchObject(filled)
  expect(await order('close', { side: 'sell', size: '0.001', reduce_only: true })).toMatchObject(filled)

  const tell = (row: LegTransfer, event: 'chain_sent' | 'chain_seen') => lives.insist(() => money.tell(row, event))
  const until = (row: LegTransfer, state: string) =>
    lives.insist(
      () => money.row(row),
      (seen) => seen.state === state,
    )
  const planned = {
    transfer_id: newTransferId(),
    public_id,
    kind: 'fund' as const,
    vault: VAULT,
    chain_id: CHAIN_ID,
    amount_usdc: '20',
  }
  const { transfer } = await lives.insist(() => keeper.openLegTransfer(planned))
  await tell(transfer, 'chain_sent')
  await tell(transfer, 'chain_seen')
  await lives.insist(async () => money.send(await money.row(transfer)))
  await until(transfer, 'delivered')

  money.stop(mandate)
  const sent = await lives.insist(async () => {
    const call = await money.as(ownerId).prepareLegReturn({ public_id })
    return { call, signature: await money.sign(mandate, call.typed_data) }
  })
  await lives.insist(() =>
    money.as(ownerId).returnLegMoney({ public_id, nonce: sent.call.nonce, signature: sent.signature }),
  )
  const back = await lives.insist(
    async () => {
      const { transfers } = await keeper.listLegTransfers({ changed_since: '2020-01-01T00:00:00.000Z' })
      return transfers.find(
        (row) => row.public_id === public_id && row.kind === 'return' && row.venue_step === 'landed',
      )
    },
    (row) => row !== undefined,
  )
  if (back === undefined) throw new Error('no return')
  await tell(back, 'chain_sent')
  await tell(back, 'chain_seen')
  await until(back, 'confirmed')
  await lives.end()
}

const accountOf = (ownerId: number) => ownerWallet(ownerId).address.toLowerCase()

test('hl-leg processes killed at any commit of an order, a funding or a return leave each executed and sent once', async () => {
  const deaths: number[] = []
  for (let at = 0, ownerId = 1; deaths.at(-1) !== 0; at += EACH)
    for (const moment of LONG ? MOMENTS : [MOMENTS[(at / EACH) % 2] ?? 'before']) {
      const lives = new Lives(at, moment)
      await playLife(lives, ownerId)
      deaths.push(lives.deaths)
      const { orders, fills, ledger } = money.rig.venue.state.accounts[accountOf(ownerId)] ?? expect.fail('no account')
      expect([at, moment, orders.length, fills.map(({ sz }) => sz)]).toEqual([at, moment, 2, ['0.001', '0.001']])
      const moved = ledger.flatMap(({ delta: { type, user, usdc } }) =>
        type === 'internalTransfer' ? [[user === pool.address.toLowerCase() ? 'in' : 'out', Number(usdc)]] : [],
      )
      const lost = await feesOf(accountOf(ownerId))
      expect([at, moment, moved]).toEqual([
        at,
        moment,
        [
          ['in', 20],
          ['out', expect.closeTo(20 - lost, 2)],
        ],
      ])
      ownerId += 1
    }
  expect([deaths.length > 2, new Set(deaths)]).toEqual([true, new Set([0, 1])])
  expect(booked.books.reserved.size).toBe(0)
  const states = await money.rig.pool.anyFirst(sql.type(z.object({ state: z.string() }))`
    SELECT DISTINCT kind || ' ' || state AS state FROM transfer ORDER BY 1`)
  expect(states.filter((state) => state !== 'return void')).toEqual(['fund delivered', 'return confirmed'])
})

/** What the trades of an account cost. */
async function feesOf(address: string): Promise<number> {
  const { fills } = money.rig.venue.state.accounts[address] ?? expect.fail('no account')
  return fills.reduce((sum, { fee, closedPnl }) => sum + Number(fee) - Number(closedPnl), 0)
}
