import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import { expect, test } from 'vitest'
import { nextAct, type Seen, type TransferTransaction } from './next-act.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const funding: LegTransfer = {
  transfer_id: `ltr_${'0'.repeat(32)}`,
  public_id: `mdt_${'0'.repeat(32)}`,
  kind: 'fund',
  state: 'planned',
  open: true,
  reason: null,
  network: 'testnet',
  owner_address: `0x${'1'.repeat(40)}`,
  vault: `0x${'2'.repeat(40)}`,
  chain_id: 31_337,
  amount_usdc: '10',
  last: false,
  ref: null,
  nonce: null,
  signed: false,
  chain_step: 'none',
  venue_step: 'none',
  tx_hash: null,
  venue_hash: null,
  venue_at: null,
  opened_at: now.toISOString(),
  changed_at: now.toISOString(),
}
const back: LegTransfer = { ...funding, kind: 'return', venue_step: 'landed', ref: `0x${'3'.repeat(64)}` }
const sent: TransferTransaction = {
  ended_at: null,
  nonce: 7,
  outcome: null,
  detail: null,
  hashes: ['0xaa'],
}
const ended = (outcome: TransferTransaction['outcome'], nonce: number | null = 7): TransferTransaction => ({
  ...sent,
  ended_at: now,
  nonce,
  outcome,
})
const seen = (changed: Partial<Seen> = {}): Seen => ({
  log: null,
  transactions: [],
  legEnded: false,
  finalNonce: 0,
  confirmations: 2n,
  now,
  ...changed,
})
const log = (depth: bigint) => ({ txHash: '0xaa', depth })

test('a decided funding is queued once, and told as sent once it has a nonce', () => {
  expect(nextAct(funding, seen())).toEqual({ do: 'fund_leg' })
  expect(nextAct(funding, seen({ transactions: [{ ...sent, nonce: null, hashes: [] }] }))).toBeNull()
  expect(nextAct(funding, seen({ transactions: [sent] }))).toMatchObject({ event: 'chain_sent', txHash: '0xaa' })
  expect(nextAct({ ...funding, chain_step: 'sending' }, seen({ transactions: [sent] }))).toBeNull()
})

test('only its own log, deep enough, confirms a funding; then the pool sends, once', () => {
  const moving = { ...funding, chain_step: 'sending' } as const
  expect(nextAct(moving, seen({ transactions: [ended('done')] }))).toBeNull()
  expect(nextAct(moving, seen({ transactions: [sent], log: log(1n) }))).toBeNull()
  expect(nextAct(moving, seen({ transactions: [ended('done')], log: log(2n) }))).toMatchObject({ event: 'chain_seen' })
  const confirmed = { ...funding, chain_step: 'seen' } as const
  expect(nextAct(confirmed, seen({ log: log(2n) }))).toEqual({ do: 'send' })
  expect(nextAct(confirmed, seen({ log: log(1n) }))).toBeNull()
  expect(nextAct({ ...confirmed, venue_step: 'signed' }, seen({ log: log(9n) }))).toBeNull()
})

test('a funding is cancelled only once no replaced block can bring its transaction back', () => {
  const failed = ended('cancelled')
  expect(nextAct(funding, seen({ transactions: [failed], finalNonce: 7 }))).toBeNull()
  expect(nextAct(funding, seen({ transactions: [failed], finalNonce: 8 }))).toMatchObject({
    event: 'chain_failed',
    reason: 'cancelled',
  })
  expect(nextAct(funding, seen({ transactions: [ended('refused', null)] }))).toMatchObject({ event: 'chain_failed' })
})

test('a funding whose log disappeared is told as lost; unbacked money is funded again until the vault refuses', () => {
  for (const venue_step of ['none', 'signed', 'landed'] as const)
    expect(nextAct({ ...funding, chain_step: 'seen', venue_step }, seen())).toMatchObject({ event: 'chain_lost' })
  const unbacked = { ...funding, chain_step: 'lost', venue_step: 'landed' } as const
  const again = { transactions: [ended('cancelled')], finalNonce: 8 }
  expect(nextAct(unbacked, seen(again))).toEqual({ do: 'fund_leg' })
  expect(nextAct(unbacked, seen({ transactions: [ended('refused', null)] }))).toMatchObject({ event: 'chain_failed' })
})

test('money is given back only after the venue shows that it arrived, and tried again after a failure', () => {
  expect(nextAct({ ...back, venue_step: 'signed' }, seen())).toBeNull()
  expect(nextAct({ ...back, venue_step: 'void' }, seen())).toBeNull()
  expect(nextAct(back, seen())).toEqual({ do: 'give_back' })
  expect(nextAct(back, seen({ transactions: [ended('cancelled')], finalNonce: 8 }))).toEqual({ do: 'give_back' })
  expect(nextAct(back, seen({ transactions: [ended('refused', null)] }))).toMatchObject({ reason: 'refused' })
  const told = { ...back, reason: 'refused' }
  expect(nextAct(told, seen({ transactions: [ended('refused', null)] }))).toBeNull()
  const later = new Date(now.getTime() + 61_000)
  expect(nextAct(told, seen({ transactions: [ended('refused', null)], now: later }))).toEqual({ do: 'give_back' })
})

test('a transfer at the venue alone is sent by the pool and needs no chain', () => {
  expect(nextAct({ ...funding, kind: 'refund', vault: null }, seen())).toEqual({ do: 'send' })
  expect(nextAct({ ...funding, kind: 'refund', vault: null, venue_step: 'signed' }, seen())).toBeNull()
})

test('money that came after the end of the leg is given up for credit once no call that credits it can be mined', () => {
  const refused = [ended('expired', 7), ended('refused', null)]
  const act = (changed: Partial<Seen>) => nextAct(back, seen({ transactions: refused, finalNonce: 8, ...changed }))
  expect(act({ legEnded: true })).toEqual({ do: 'tell', event: 'chain_ended', txHash: null, reason: 'NoLeg' })
  expect(act({})).toMatchObject({ event: 'chain_failed' })
  expect(act({ legEnded: true, finalNonce: 7 })).toMatchObject({ event: 'chain_failed' })
  expect(act({ legEnded: true, log: log(1n) })).not.toMatchObject({ event: 'chain_ended' })
  const closing = { ...back, kind: 'closing' as const, venue_step: 'none' as const }
  expect(nextAct(closing, seen({ transactions: refused, finalNonce: 8, legEnded: true }))).not.toMatchObject({
    event: 'chain_ended',
  })
  expect(nextAct({ ...back, chain_step: 'failed' }, seen({ transactions: refused, legEnded: true }))).toBeNull()
})
