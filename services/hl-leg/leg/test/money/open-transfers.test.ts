import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { normalizeSignature, typedDataOf, usdSend, userSignedBody } from '@svc/hyperliquid'
import { usdcText } from '@svc/limits'
import { outboundGauges, runOutbound } from '@svc/outbound'
import { migrationOf } from '@svc/outbound/template'
import { sql } from '@svc/postgres'
import { Outage } from '@svc/service'
import { inherited, opened } from '@svc/testing'
import { sendingThrough } from '@svc/venue-rig/sending-through'
import type { VenueClient } from '@svc/venue/venue-client'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { followTransfers } from '#money/jobs/follow-transfers.ts'
import { moveMoney, newTransferId } from '#money/move-money.ts'
import { prepareLegReturn } from '#money/operations/prepare-leg-return.ts'
import { movesAtVenue } from '#money/rules/transfer-state.ts'
import { insertPayment } from '#money/store/pool-payments.ts'
import { sendTransfer } from '#money/send-transfer.ts'
import { transferByHand } from '#money/transfer-adapter.ts'
import {
  findTransfer,
  insertTransfer,
  lockTransfer,
  transfersOf,
  transferView,
  venueTransferKind,
  type Transfer,
} from '#money/store/transfers.ts'
import { callFrom } from '../orders/dying.ts'
import { owner, ownerWallet, signTypedData } from '../rig.ts'
import { CHAIN_ID, hash, pool as house, startMoneyRig, VAULT } from './money-rig.ts'

const money = opened(() => startMoneyRig())
beforeEach(() => money.rig.venue.control('clear-faults'))
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const migration = new URL('../../migrations/0037-outbound-transfers.sql', import.meta.url)

type Kind = Transfer['kind']
let owners = 0

/** Stores a transfer of a leg of its own, as far as it goes before bytes are there; money of a vault lies on the chain. */
async function planned(kind: Kind): Promise<Transfer> {
  const { rig } = money
  owners += 1
  const ownerId = owners
  const { public_id } = await money.leg(ownerId)
  // The nonce of the owner's approval is used.
  rig.advance(5)
  const [now, place] = [rig.clock.now(), ['refund', 'activation'].includes(kind) ? null : VAULT]
  const nonce = movesAtVenue(kind) ? now.getTime() : null
  const scope = { network: 'testnet', signatureChainId: CHAIN_ID, nonce: nonce ?? 0 } as const
  const action = usdSend(scope, { destination: house.address, amountUsdc: '20' })
  const paid = kind === 'payment' ? { venue_hash: hash(9_000 + ownerId), venue_at: now } : {}
  const transfer_id = newTransferId()
  await rig.pool.transaction((tx) =>
    insertTransfer(
      tx,
      {
        transfer_id,
        public_id,
        kind,
        network: 'testnet',
        owner_address: ownerWallet(ownerId).address.toLowerCase() as `0x${string}`,
        chain_id: place === null ? null : CHAIN_ID,
        vault: place,
        amount: 20_000_000n,
        last: false,
        ref: null,
        nonce,
        action: kind === 'return' ? { ...action } : null,
        ...paid,
      },
      now,
    ),
  )
  if (kind === 'fund')
    await money.keeper.advanceLegTransfer({ transfer_id, event: 'chain_seen', tx_hash: hash(1), reason: null })
  return (await findTransfer(rig.pool, transfer_id)) ?? expect.fail('not stored')
}

async function bytesOf(row: Transfer): Promise<string> {
  if (row.kind !== 'return') return money.bytes(transferView(row))
  const scope = { network: row.network, signatureChainId: CHAIN_ID, nonce: row.nonce ?? 0 }
  const action = usdSend(scope, { destination: house.address, amountUsdc: '20' })
  const wallet = ownerWallet(Number(ownerOf(row)))
  const signature = normalizeSignature(await signTypedData(wallet, typedDataOf(action)))
  return userSignedBody(action, signature ?? expect.fail('no signature'))
}
const ownerOf = ({ owner_address }: Transfer): number =>
  [...Array(owners + 1).keys()].find((n) => ownerWallet(n).address.toLowerCase() === owner_address) ?? 0

const send = async (row: Transfer, context: Context = money.rig.context): Promise<Transfer> =>
  sendTransfer(context, row, { body: await bytesOf(row), deny: ({ state }) => expect.fail(`denied: ${state}`) })
const fault = (kind: string, count = 1) =>
  money.rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'usdSend', count })
const follow = (context: Context = money.rig.context) => followTransfers(context)(AbortSignal.timeout(600_000))
const sent = () => Number((money.rig.venue.control('counts') as Record<string, number>)['exchange usdSend'] ?? 0)
const entriesOf = (row: Transfer) => money.ledger(ownerOf(row)).length

/** Makes a transfer of a kind as far as one of these moments. */
const MOMENTS: Readonly<Record<string, (kind: Kind) => Promise<Transfer>>> = {
  planned,
  lost: async (kind) => {
    fault('status500')
    return send(await planned(kind))
  },
  arrived: async (kind) => {
    fault('drop')
    return send(await planned(kind))
  },
  refused: async (kind) => {
    fault('refuse')
    return send(await planned(kind))
  },
  landed: async (kind) => send(await planned(kind)),
}

const effectRow = z.object({
  effect_id: z.number(),
  venue: z.string(),
  copies_unknown: z.number(),
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  informed: z.boolean(),
})
const effectOf = ({ transfer_id }: Transfer) =>
  money.rig.pool.one(sql.type(effectRow)`
    SELECT effect_id, venue, copies_unknown, effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed
    FROM transfer WHERE transfer_id = ${transfer_id}`)

/** Makes all rows those of the last release, which knew none of the shared columns. */
const forgetEffects = () =>
  money.rig.pool.query(sql.unsafe`
    UPDATE transfer SET effect_state = DEFAULT, effect_since = DEFAULT, effect_outcome = NULL, effect_evidence = NULL,
      effect_copies = DEFAULT, effect_over_after = NULL, effect_claim = NULL, effect_claim_until = NULL,
      effect_next_at = DEFAULT, effect_informed_at = NULL`)

test('the migration is the one of the package', async () => {
  expect(await readFile(migration, 'utf8')).toBe(migrationOf('transfer', venueTransferKind.former))
})

test('a transfer of the last release goes on exactly once, of each kind and from each state', async () => {
  const moving = ['fund', 'refund', 'activation', 'return'] as const
  const made: { readonly kind: Kind; readonly moment: string; readonly row: Transfer }[] = []
  for (const kind of moving)
    for (const [moment, make] of Object.entries(MOMENTS)) made.push({ kind, moment, row: await make(kind) })
  for (const kind of ['payment', 'turn_back', 'closing', 'fallback'] as const)
    made.push({ kind, moment: 'elsewhere', row: await planned(kind) })
  const voided = await planned('return')
  const cancelled = await planned('fund')
  await money.rig.pool.transaction(async (tx) => {
    await moveMoney(tx, voided, 'voided', {}, money.rig.clock.now())
    await moveMoney(tx, cancelled, 'chain_lost', {}, money.rig.clock.now())
    const lost = (await lockTransfer(tx, cancelled.transfer_id)) ?? expect.fail('gone')
    await moveMoney(tx, lost, 'chain_failed', {}, money.rig.clock.now())
  })
  await forgetEffects()

  const before = sent()
  await follow()
  // Each of four kinds sends what was lost once more, and nothing else.
  expect(sent() - before).toBe(4)
  const ends = { planned: [null, 0], refused: ['refused', 0], elsewhere: ['abandoned', 0] } as const
  for (const { kind, moment, row } of made) {
    const { effect_state, effect_outcome, informed } = await effectOf(row)
    const isPaid = kind === 'payment'
    const [outcome, entries] = isPaid ? ['done', 0] : (ends[moment as keyof typeof ends] ?? ['done', 1])
    const state = outcome === null ? 'planned' : 'ended'
    expect([kind, moment, effect_state, effect_outcome, informed, entriesOf(row)]).toEqual([
      kind,
      moment,
      state,
      outcome,
      outcome !== null,
      entries,
    ])
  }
  for (const row of [voided, cancelled])
    expect(await effectOf(row)).toMatchObject({ effect_state: 'ended', effect_outcome: 'abandoned', informed: true })
  for (const { row, moment } of made.filter((one) => one.moment === 'planned')) {
    expect([moment, (await send(row)).venue]).toEqual([moment, 'landed'])
    expect(await effectOf(row)).toMatchObject({ effect_outcome: 'done', effect_copies: 1 })
    expect(entriesOf(row)).toBe(1)
  }
  expect(sent() - before).toBe(8)
})

test('while both releases run, a refusal ends no transfer of which the other one may have sent a copy', async () => {
  const { rig } = money
  const noted = (row: Transfer, by: 1 | -1) =>
    rig.pool.query(sql.unsafe`
      UPDATE transfer SET copies_unknown = copies_unknown + ${by} WHERE transfer_id = ${row.transfer_id}`)
  const row = await planned('fund')
  const copied = sendingThrough(rig.context, async (post) => {
    // The last release counts its copy, whose answer never comes.
    await noted(row, 1)
    return post()
  })
  fault('refuse')
  await expect(send(row, copied)).rejects.toThrow('another process changed transfer')
  expect(await effectOf(row)).toMatchObject({ venue: 'signed', effect_state: 'sent', copies_unknown: 2 })
  await rig.post('exchange', JSON.parse(await bytesOf(row)) as object)
  await follow()
  expect(await effectOf(row)).toMatchObject({ venue: 'landed', effect_outcome: 'done', informed: true })
  expect(entriesOf(row)).toBe(1)

  const counted = await planned('fund')
  fault('status500')
  await send(counted)
  // So a refusal of its own copy is that of its second one to the last release.
  expect(await effectOf(counted)).toMatchObject({ copies_unknown: 1, effect_copies: 1 })
  await follow()
  expect(entriesOf(counted)).toBe(1)
})

test('no copy leaves of a transfer that the last release ended while its entry was looked for', async () => {
  const { rig } = money
  fault('status500')
  const row = await send(await planned('fund'))
  const ends = async () => {
    await rig.pool.transaction(async (tx) => {
      const locked = (await lockTransfer(tx, row.transfer_id)) ?? expect.fail('gone')
      await moveMoney(tx, locked, 'venue_refused', { reason: 'by the last release' }, rig.clock.now())
    })
  }
  const venue: VenueClient = {
    ...rig.context.venue,
    ask: async (by, question, ...more) => {
      const answer = await rig.context.venue.ask(by, question, ...more)
      if (question === 'userNonFundingLedgerUpdates') await ends()
      return answer
    },
  }
  const before = sent()
  await follow(Object.create(rig.context, { venue: { value: venue } }) as Context)
  expect(sent()).toBe(before)
  await follow()
  expect(await effectOf(row)).toMatchObject({ venue: 'refused', effect_outcome: 'refused', informed: true })
  expect(entriesOf(row)).toBe(0)
  const backs = (await transfersOf(rig.pool, [row.public_id])).filter(({ kind }) => kind === 'turn_back')
  expect(backs).toHaveLength(1)
})

test('a transfer ends for want of an entry by the time of the venue, not by a clock of ours that is wrong', async () => {
  const { rig } = money
  fault('status500', 3)
  const row = await send(await planned('fund'))
  const ahead = {
    now: () => new Date(rig.clock.now().getTime() + 60 * 3_600_000),
    after: rig.clock.after.bind(rig.clock),
  }
  await follow(Object.create(rig.context, { clock: { value: ahead } }) as Context)
  expect(await effectOf(row)).toMatchObject({ venue: 'signed', effect_state: 'sent' })
  rig.venue.control('clear-faults')
  rig.advance(61 * 3_600_000)
  // Where the ledger has more rows than the venue lists, none of ours is missing for certain.
  const delta = { type: 'deposit', usdc: '1' }
  const full = Array.from({ length: 500 }, (_, n) => ({ time: (row.nonce ?? 0) + 1, hash: hash(70_000 + n), delta }))
  const venue: VenueClient = {
    ...rig.context.venue,
    ask: (by, question, ...more) =>
      question === 'userNonFundingLedgerUpdates'
        ? Promise.resolve(full as never)
        : rig.context.venue.ask(by, question, ...more),
  }
  await follow(Object.create(rig.context, { venue: { value: venue } }) as Context)
  expect(await effectOf(row)).toMatchObject({ venue: 'signed', effect_state: 'sent' })
  await follow()
  expect(await effectOf(row)).toMatchObject({ venue: 'refused', effect_outcome: 'expired', informed: true })
})

test('a copy that the venue had no time for counts for nothing: the refusal of the next one ends the transfer', async () => {
  const row = await planned('fund')
  fault('status429')
  expect(await send(row)).toMatchObject({ venue: 'signed' })
  money.rig.advance(1_000)
  fault('refuse')
  await follow()
  expect(await effectOf(row)).toMatchObject({ venue: 'refused', effect_outcome: 'refused', effect_copies: 2 })
  expect(entriesOf(row)).toBe(0)
})

test('a copy that never left, for want of request weight, counts for nothing either', async () => {
  const row = await planned('fund')
  const { context } = money.rig
  const outage = () => Promise.reject(new Outage('venue', 'no weight is left'))
  const venue: VenueClient = Object.assign(Object.create(context.venue), { send: outage })
  await expect(send(row, { ...context, venue })).rejects.toThrow('no weight is left')
  expect(await effectOf(row)).toMatchObject({ venue: 'signed', effect_state: 'sent', effect_copies: 1 })
  money.rig.advance(1_000)
  fault('refuse')
  await follow()
  expect(await effectOf(row)).toMatchObject({ venue: 'refused', effect_outcome: 'refused', effect_copies: 2 })
})

test('bytes that were not stored, because another process worked on the transfer, are not taken for stored', async () => {
  const row = await planned('return')
  const until = new Date(money.rig.clock.now().getTime() + 600_000).toISOString()
  await money.rig.pool.query(sql.unsafe`
    UPDATE transfer SET effect_claim = 'another', effect_claim_until = ${until} WHERE transfer_id = ${row.transfer_id}`)
  await expect(send(row)).rejects.toThrow('another process works on')
  expect(await effectOf(row)).toMatchObject({ venue: 'none', effect_state: 'planned' })
})

test('a return that the owner signs while a newer one is prepared is not voided: its money moves, and the newer one is refused', async () => {
  const { rig } = money
  owners += 1
  const mandate = await money.leg(owners, '300')
  const { public_id } = mandate
  rig.advance(1_000)
  await money.fund(mandate, '100')
  await money.read()
  money.stop(mandate)
  const first = await money.as(owners).prepareLegReturn({ public_id })
  const signature = await money.sign(mandate, first.typed_data)
  const call = callFrom(rig, rig.context, { caller: owner(owners), from: 'gateway' })
  let isSigned = false
  const effect: typeof call.effect = (work) =>
    rig.pool.transaction((tx) =>
      work(
        new Proxy(tx, {
          get: (target, name) => {
            const member: unknown = Reflect.get(target, name)
            if (typeof member !== 'function') return member
            return async (...given: unknown[]) => {
              const answer: unknown = await (member as (...given: unknown[]) => unknown).apply(target, given)
              if (name === 'any' && !isSigned) {
                isSigned = true
                fault('status500')
                await money.as(owners).returnLegMoney({ public_id, nonce: first.nonce, signature })
              }
              return answer
            }
          },
        }),
      ),
    )
  const again = prepareLegReturn(rig.context)({ public_id, dry_run: false }, { ...call, effect })
  await expect(again).rejects.toThrow('An earlier return was signed')
  expect(isSigned).toBe(true)
  await follow()
  const returns = (await transfersOf(rig.pool, [public_id])).filter(({ kind }) => kind === 'return')
  expect(returns.map(({ state }) => state)).toEqual(['delivered_at_venue'])
})

test('an operator lists open transfers, reads one without its bytes, and makes one due, in a process of its own', async () => {
  fault('status500')
  const row = await send(await planned('refund'))
  const { effect_id } = await effectOf(row)
  const env = { ...inherited(), ...money.rig.environment() } as NodeJS.ProcessEnv
  const printed = async (args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--outbound', ...args], { env })
    return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []))
  }
  const id = `venue_transfer-${effect_id}`
  expect(await printed(['list'])).toContainEqual(
    expect.objectContaining({ id, effect_state: 'sent', effect_copies: 1 }),
  )
  const shown = (await printed(['show', id])).find((line) => 'transfer_id' in line)
  expect(shown).toMatchObject({ transfer_id: row.transfer_id, venue: 'signed', effect_id })
  expect(shown).not.toHaveProperty('body')
  const series = { labels: { kind: 'venue_transfer', state: 'sent' }, value: 1 }
  expect(await outboundGauges(money.rig.pool, [venueTransferKind])['hub_outbound_open']?.read()).toContainEqual(series)
  await printed(['retry', id])
  await follow()
  expect(await effectOf(row)).toMatchObject({ venue: 'landed', effect_outcome: 'done' })
  expect(await printed(['list'])).not.toContainEqual(expect.objectContaining({ id }))
})

/** Ends a transfer by hand at the time of the rig, and returns what the command printed. */
async function endByHand(row: Transfer, outcome: string, evidence: object | string): Promise<unknown> {
  const { pool, clock } = money.rig
  const runTask = async (_: object, __: object, work: (kit: object) => Promise<object>) => {
    await work({ pool, clock })
    return 0
  }
  const { effect_id } = await effectOf(row)
  const words = [
    'end',
    `venue_transfer-${effect_id}`,
    outcome,
    typeof evidence === 'string' ? evidence : JSON.stringify(evidence),
  ]
  const lines: string[] = []
  const kinds = [{ ...venueTransferKind, byHand: transferByHand }]
  await runOutbound({ runTask: runTask as never }, kinds, words, {}, (line) => void lines.push(line))
  return JSON.parse(lines[0] ?? 'null')
}
const who = { by: 'ops@house', why: 'the explorer of the venue shows it' }

test('an operator ends a transfer by the entry that it has at the venue, once, and the evidence is stored', async () => {
  fault('status500')
  const row = await send(await planned('fund'))
  await money.rig.post('exchange', JSON.parse(await bytesOf(row)) as object)
  const account = money.rig.venue.state.accounts[row.owner_address] ?? expect.fail('no account')
  const entry = account.ledger.at(-1) ?? expect.fail('no entry')
  const proof = {
    ...who,
    venue_hash: entry.hash,
    venue_at: new Date(entry.time).toISOString(),
    amount_usdc: usdcText(row.amount),
  }
  await expect(endByHand(row, 'done', { ...proof, amount_usdc: '1' })).rejects.toThrow('amount_usdc differs')
  const divided = { ...row, venue_hash: hash(7), to_debt: 0n, to_leg: 0n, rest: row.amount, venue_at: new Date() }
  await money.rig.pool.transaction((tx) => insertPayment(tx, divided))
  await expect(endByHand(row, 'done', { ...proof, venue_hash: hash(7) })).rejects.toThrow('would count it twice')
  await expect(endByHand(row, 'done', { ...who, venue_hash: entry.hash })).rejects.toThrow('venue_at')
  await expect(endByHand(row, 'done', { ...proof, by: '' })).rejects.toThrow('by')
  await expect(endByHand(row, 'done', 'because')).rejects.toThrow(
    'The evidence is JSON with by, why, venue_hash, venue_at, amount_usdc',
  )
  await expect(endByHand(row, 'abandoned', proof)).rejects.toThrow('Use one of the outcomes done, expired')
  await expect(endByHand(row, 'done', { ...proof, venue_at: '2026-01-01T00:00:00Z' })).rejects.toThrow(
    'before the nonce',
  )
  expect(await effectOf(row)).toMatchObject({ venue: 'signed', effect_state: 'sent' })
  expect(await endByHand(row, 'done', proof)).toMatchObject({
    state: 'delivered',
    venue_hash: entry.hash,
    effect_outcome: 'done',
    effect_evidence: proof,
  })
  const before = sent()
  await follow()
  await expect(endByHand(row, 'done', proof)).rejects.toThrow('does not exist, is not open, or a process works on it')
  expect([sent(), entriesOf(row)]).toEqual([before, 1])

  fault('status500')
  const other = await send(await planned('fund'))
  const taken = { ...proof, venue_at: money.rig.clock.now().toISOString() }
  const ofOwner = { ...taken, venue_hash: entry.hash }
  await money.rig.pool.query(sql.unsafe`
    UPDATE transfer SET owner_address = ${row.owner_address} WHERE transfer_id = ${other.transfer_id}`)
  await expect(endByHand(other, 'done', ofOwner)).rejects.toThrow('its entry belongs to another one')
  expect(await effectOf(other)).toMatchObject({ venue: 'signed', effect_state: 'sent' })
})

test('an operator ends no transfer as not sent while a copy may still take effect, and none of which no bytes exist', async () => {
  const { rig } = money
  const none = await planned('refund')
  const proof = () => ({ ...who, ledger_read_at: rig.clock.now().toISOString() })
  await expect(
    endByHand(none, 'done', { ...who, venue_hash: hash(1), venue_at: proof().ledger_read_at, amount_usdc: '1' }),
  ).rejects.toThrow('has no bytes')
  fault('status500')
  const row = await send(await planned('fund'))
  await expect(endByHand(row, 'expired', proof())).rejects.toThrow('may still take effect until')
  const early = proof()
  rig.advance(50 * 3_600_000)
  await expect(endByHand(row, 'expired', early)).rejects.toThrow('ledger_read_at lies before')
  await rig.pool.query(sql.unsafe`
    UPDATE transfer SET effect_claim = 'another', effect_claim_until = ${new Date(rig.clock.now().getTime() + 1).toISOString()}
    WHERE transfer_id = ${row.transfer_id}`)
  await expect(endByHand(row, 'expired', proof())).rejects.toThrow('a process works on it')
  rig.advance(1)
  const future = new Date(rig.clock.now().getTime() + 1_000).toISOString()
  await expect(endByHand(row, 'expired', { ...who, ledger_read_at: future })).rejects.toThrow('in the future')
  expect(await endByHand(row, 'expired', proof())).toMatchObject({ state: 'turned_back', effect_outcome: 'expired' })
  expect(entriesOf(row)).toBe(0)
})
