import { sql } from '@svc/postgres'
import { expect } from 'vitest'
import { z } from 'zod'
import { legStandings } from '#money/leg-standings.ts'
import type { Transfer } from '#money/store/transfers.ts'
import { storedReading } from '#readings/store/readings.ts'
import { ownerWallet } from '../rig.ts'
import { pool, type MoneyRig } from './money-rig.ts'
import type { TransferScript } from './transfer-script.ts'

/** What the venue knows of the owner's account. */
export function atVenue(money: MoneyRig, { mandate }: TransferScript) {
  const account = money.rig.venue.state.accounts[ownerWallet(mandate.owner_id).address.toLowerCase()]
  if (account === undefined) throw new Error('the account is not open')
  return account
}

/** Returns the standing of a leg with the reading that it is of: a process that goes on may store another one between the two. */
async function standingWithReading(money: MoneyRig, { publicId }: TransferScript) {
  for (;;) {
    const [leg] = await legStandings(money.rig.context, [publicId])
    if (leg === undefined) throw new Error('the leg is gone')
    const reading = await storedReading(money.rig.pool, publicId)
    if (leg.read_at === (reading?.readAt.toISOString() ?? null)) return { leg, reading }
  }
}

/** A figure that counts in a mark is what the venue's own rows explain; returns the reason of one that is withheld. */
export async function requireMark(money: MoneyRig, script: TransferScript): Promise<string | null> {
  const { leg, reading } = await standingWithReading(money, script)
  const { value_usdc, foreign_usdc, delivered_usdc, left_usdc, read_at, withheld_reason } = leg
  if (withheld_reason !== null) return withheld_reason
  if (value_usdc === null || foreign_usdc === null || read_at === null) return null
  const unrealized = reading?.positions ?? []
  const held = unrealized.reduce((sum, { unrealizedPnl }) => sum + Number(unrealizedPnl), 0)
  const until = Date.parse(read_at)
  const counted = Number(value_usdc) - Number(foreign_usdc)
  // The clock stands still, so that an execution of the same moment may come before the reading or after it.
  const explained = [until, until - 1].map(
    (last) => Number(delivered_usdc) - Number(left_usdc) + held + wonUntil(money, script, last),
  )
  const off = Math.min(...explained.map((one) => Math.abs(counted - one)))
  expect(off, `${counted} counts, ${explained.join(' or ')} is explained`).toBeLessThan(0.02)
  return null
}

/** What executions and funding made of the account until an instant, by the venue's own rows. */
function wonUntil(money: MoneyRig, script: TransferScript, last: number): number {
  const { fills, funding } = atVenue(money, script)
  const won = fills.filter(({ time }) => time <= last)
  const paid = funding.filter(({ time }) => time <= last)
  return (
    won.reduce((sum, { closedPnl, fee }) => sum + Number(closedPnl) - Number(fee), 0) +
    paid.reduce((sum, { delta }) => sum + Number(delta['usdc']), 0)
  )
}

/** Compares the rows of a leg, which have all ended, with the venue's ledger of its account. */
export async function judge(money: MoneyRig, script: TransferScript): Promise<void> {
  const rows = await script.rows()
  const ofOwner = ownerWallet(script.mandate.owner_id).address.toLowerCase()
  const house = pool.address.toLowerCase()
  expect(
    // A return that nobody signed moves nothing, and an account that was emptied meanwhile has none.
    rows
      .filter(({ open, kind, state }) => open && !(kind === 'return' && state === 'planned'))
      .map(({ kind, state }) => `${kind}: ${state}`),
    'every transfer has ended',
  ).toEqual([])
  const entries = atVenue(money, script)
    .ledger.filter(({ delta }) => delta['user'] === house || delta['destination'] === house)
    .map(
      ({ hash, delta }) => `${hash} ${String(delta['user'])} ${String(delta['destination'])} ${Number(delta['usdc'])}`,
    )
  const landed = rows
    .filter(({ venue }) => venue === 'landed')
    .map(({ kind, venue_hash, amount }) => {
      const [payer, payee] = kind === 'return' ? [ofOwner, house] : [house, ofOwner]
      return `${venue_hash} ${payer} ${payee} ${Number(amount) / 1e6}`
    })
  expect(landed.toSorted(), 'the ledger has one entry for each transfer that was sent').toEqual(entries.toSorted())
  for (const row of rows) await requireEnd(money, row, rows)
}

/** Nobody's money is lost or doubled between the chain and the venue. */
async function requireEnd(money: MoneyRig, row: Transfer, rows: readonly Transfer[]): Promise<void> {
  const sides = `${row.kind} ${row.chain} ${row.venue}`
  expect(sides, 'both sides of a transfer agree').toMatch(
    /^(fund (seen|failed) landed|fund (seen|failed) refused|fund failed none|turn_back seen none|return seen landed|return none (none|refused|void))$/,
  )
  const backs = rows.filter(({ kind }) => kind === 'turn_back').length
  const turned = rows.filter(({ state }) => state === 'turned_back').length
  expect(backs, 'what the venue refused is given back once').toBe(turned)
  const debts = await money.rig.pool.anyFirst(sql.type(z.object({ amount: z.string() }))`
    SELECT amount::text AS amount FROM leg_debt WHERE transfer_id = ${row.transfer_id}`)
  expect(debts, 'what no vault paid is owed').toEqual(row.state === 'leg_debt' ? [String(row.amount)] : [])
}
