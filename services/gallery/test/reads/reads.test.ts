import { refuse } from '@svc/contract'
import { holdEnded, mandateBudgetExceeded } from '@svc/contracts/subscriptions/holds'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { sql } from '@svc/postgres'
import { changesNothing, opened } from '@svc/testing'
import { beforeEach, expect, test } from 'vitest'
import { captureForFollow } from '#reads/capture-for-follow.ts'
import { paidSeqs } from '#reads/paid-seqs.ts'
import { payForSignals } from '#reads/pay-for-signals.ts'
import { agent, startGalleryRig } from '../rig.ts'
import { offerIdOf } from '@svc/testing'

const on = opened(() => startGalleryRig())
const id = (prefix: string, n: number) => `${prefix}_${String(n).padStart(20, '0')}`
const SELLER = 900
const PRICE = 5
let made = 0

/** Stores a vault with a paid and a free listing, as publishing does. */
async function newVault(): Promise<{ vaultId: string; listingId: string; freeId: string }> {
  made += 1
  const [vaultId, listingId, freeId] = [id('opv', made), id('lst', made * 2), id('lst', made * 2 + 1)]
  await on.pool.query(sql.unsafe`
    INSERT INTO operator (id, agent_id, kind, title, house, vault_id, source, created_at)
    VALUES (${id('opr', made)}, ${SELLER}, 'signal', 'Trend', false, ${vaultId}, 'admin', now())`)
  for (const [listing, model, price] of [
    [listingId, 'paid_read', PRICE],
    [freeId, 'free', null],
  ] as const) {
    await on.pool.query(sql.unsafe`
      INSERT INTO listing (id, type, seller_agent_id, title, summary, price_model, price_cherry, vault_id, body, published_at)
      VALUES (${listing}, 'signal_subscription', ${SELLER}, 'Trend', 'Trend', ${model}, ${price}, ${vaultId},
        '{"editable_params": [], "template": null, "cited": []}', now())`)
    await on.pool.query(sql.unsafe`
      INSERT INTO listing_status (listing_id, seq, status, reason, at) VALUES (${listing}, 1, 'live', 'published', now())`)
  }
  return { vaultId, listingId, freeId }
}

/** Records the next signal of a vault now. */
async function record(vaultId: string, seq: number): Promise<void> {
  await on.pool.query(sql.unsafe`
    INSERT INTO signal (id, vault_id, seq, client_id, market, side, weight_bps, recorded_price, recorded_at, salt, previous_hash, hash)
    VALUES (${`sig_${vaultId.slice(-17)}${String(seq).padStart(3, '0')}`}, ${vaultId}, ${seq}, ${String(seq)}, 'hl:BTC', 'flat', 0, '60000',
      ${on.clock.now().toISOString()}, ${'a'.repeat(64)}, ${seq === 1 ? '' : 'b'.repeat(64)}, ${'b'.repeat(64)})`)
}

type Items = { readonly resource: string; readonly price: number }[]
const heldItems: Items[] = []
const asked = (operation: string) => on.peers.subscriptions.asked.filter((one) => one.operation === operation).length

// A ledger in which everybody has enough, and has paid for nothing before.
beforeEach(() => {
  heldItems.length = 0
  Object.assign(on.peers.subscriptions.answers, {
    placeHold: ({ items, dry_run }: { items: Items; dry_run: boolean }) => {
      if (!dry_run) heldItems.push(items)
      const due = items.reduce((sum, { price }) => sum + price, 0)
      const hold = { hold_id: id('hld', heldItems.length), amount: due, expires_at: '2026-11-23T15:01:00.000Z' }
      return {
        hold: dry_run ? null : hold,
        due,
        captured: 0,
        items: items.map(({ resource }) => ({ resource, status: 'due' })),
      }
    },
    captureHold: ({ hold_id, resources }: { hold_id: string; resources: string[] }) => ({
      hold_id,
      state: 'captured',
      captured: resources.length * PRICE,
      released: 0,
      resources,
    }),
    releaseHold: ({ hold_id }: { hold_id: string }) => ({
      hold_id,
      state: 'released',
      captured: 0,
      released: 0,
      resources: [],
    }),
  })
})

const ask = (listing_id: string, input: object = {}) => on.as(agent(7)).readSignals({ listing_id, ...input })
/** Reads a page, and pays the offer of it if it costs something. */
async function read(listing_id: string, input: object = {}) {
  try {
    return await ask(listing_id, input)
  } catch (error) {
    const offerId = offerIdOf(error)
    if (offerId === null) throw error
    return ask(listing_id, { ...input, offer_id: offerId })
  }
}
const beat = () => on.run('noteReadable')
/** Lets time pass with a beat every 20 seconds, or none while the ledger is away. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 20) {
    on.clock.advance(Math.min(20, left) * 1_000)
    await beat().catch(() => null)
  }
}

test('a signal that our outage made readable more than a minute late is never charged, and one of a shorter outage is', async () => {
  const { vaultId, listingId } = await newVault()
  await beat()
  await record(vaultId, 1)
  on.peers.subscriptions.isAway = true
  await pass(60)
  await record(vaultId, 2)
  await expect(read(listingId)).rejects.toThrow('temporarily_unavailable')
  await pass(40)
  await record(vaultId, 3)
  await pass(40)
  on.peers.subscriptions.isAway = false

  // Before the next beat, and after it: 1 and 2 waited 140 and 80 seconds, 3 waited 40.
  for (let times = 0; times < 2; times += 1) {
    heldItems.length = 0
    expect(await read(listingId)).toMatchObject({ charged_cherry: PRICE, next_since: 3 })
    expect(heldItems).toEqual([[{ resource: `${vaultId}:3`, price: PRICE }]])
    await beat()
  }
  await pass(40)
  await record(vaultId, 4)
  await pass(200)
  expect(await read(listingId, { since: 3 })).toMatchObject({ charged_cherry: PRICE, items: [{ seq: 4 }] })
})

test('a follow pays the price of its signal from the owner of the mandate, is free where a read is, and says when the owner cannot pay', async () => {
  const { vaultId, listingId, freeId } = await newVault()
  await beat()
  await record(vaultId, 1)
  const followed = { ownerId: 8, mandateId: 'mdt_1', listingId, vaultId, seq: 1 }
  const follow = (more: object = {}) => captureForFollow(on.context, { ...followed, ...more })
  const { answers } = on.peers.subscriptions
  expect(await follow()).toBe('captured')
  expect(heldItems).toEqual([[{ resource: `${vaultId}:1`, price: PRICE }]])
  expect(on.peers.subscriptions.asked.findLast(({ operation }) => operation === 'placeHold')?.input).toMatchObject({
    account_id: 8,
    seller_id: SELLER,
    reference: 'mdt_1',
  })
  expect(await follow({ listingId: freeId })).toBe('free')
  for (const [status, outcome] of [
    ['paid', 'captured'],
    ['free', 'free'],
  ] as const) {
    answers['placeHold'] = () => ({ hold: null, due: 0, captured: 0, items: [{ resource: `${vaultId}:1`, status }] })
    expect(await follow()).toBe(outcome)
  }
  answers['readPaid'] = ({ resources }: { resources: string[] }) => ({ resources: resources.slice(0, 1) })
  expect(await paidSeqs(on.context, [8, 9], vaultId, [1, 2])).toEqual(new Set([1]))
  answers['placeHold'] = () => refuse(insufficientCherry, undefined, { balance: 0, needed: PRICE })
  expect(await follow()).toBe('unpaid')
  answers['placeHold'] = () => refuse(mandateBudgetExceeded)
  expect(await follow()).toBe('unpaid')
  on.peers.subscriptions.isAway = true
  await expect(follow()).rejects.toThrow('temporarily_unavailable')
  on.peers.subscriptions.isAway = false
  await expect(follow({ vaultId: id('opv', 999) })).rejects.toThrow('does not sell')
})

test('a hold that expired before its capture is placed once more, nothing is captured for a caller who has gone, and a withdrawn listing is still read', async () => {
  const { vaultId, listingId } = await newVault()
  await beat()
  await record(vaultId, 1)
  const { answers } = on.peers.subscriptions
  const capture = answers['captureHold']
  let expired = 1
  answers['captureHold'] = (input: never) => {
    expired -= 1
    return expired >= 0 ? refuse(holdEnded, undefined, { state: 'expired' }) : capture?.(input)
  }
  const calls = [asked('captureHold'), asked('releaseHold'), heldItems.length]
  const dry = await changesNothing(on.stack.databaseOf('gallery').superuserUrl, () => read(listingId, { dry_run: '1' }))
  expect(dry).toMatchObject({ charged_cherry: PRICE, items: [] })
  expect([asked('captureHold'), asked('releaseHold'), heldItems.length]).toEqual(calls)
  expect(await read(listingId)).toMatchObject({ charged_cherry: PRICE })
  expect(heldItems).toHaveLength(2)
  await on.pool.query(sql.unsafe`
    INSERT INTO listing_status (listing_id, seq, status, reason, at) VALUES (${listingId}, 2, 'withdrawn', 'by the seller', now())`)
  expired = 0
  expect(await read(listingId, { since: 1 })).toMatchObject({ charged_cherry: 0, items: [], newest_seq: 1 })
  expired = 1
  expect(await read(listingId)).toMatchObject({ charged_cherry: PRICE })
  expired = 2
  await expect(read(listingId)).rejects.toThrow('temporarily_unavailable')

  const before = [asked('captureHold'), asked('releaseHold')]
  const purchase = {
    accountId: 7,
    sellerId: SELLER,
    listingId,
    vaultId,
    price: PRICE,
    seqs: [1],
    reference: listingId,
    now: on.clock.now(),
  }
  await expect(payForSignals(on.context, { ...purchase, deadline: Date.now() })).rejects.toThrow('nobody waits')
  expect([asked('captureHold'), asked('releaseHold')]).toEqual([before[0], (before[1] ?? 0) + 1])
})
