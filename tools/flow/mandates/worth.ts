import { read, type Chain } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { expect } from 'vitest'
import type { Played, Theatre } from './script.ts'
import { callerOf } from './stack.ts'

/** Returns the worth of a vault after a block: its USDC without the fee that it owes, plus the exit value of its positions. */
async function worthAt(chain: Chain, theatre: Theatre['chain'], vault: Played['vault'], block: number) {
  const { usdc, venue } = theatre.deployment.contracts
  const at = { blockNumber: BigInt(block) }
  const market = read(chain).venue(venue.address)
  const [balance, owed, held] = await Promise.all([
    read(chain).usdc(usdc.address).balanceOf({ account: vault }, at),
    read(chain).vault(vault).feeOwed(at),
    market.held({ a: vault }, at),
  ])
  let positions = 0n
  for (const m of held) {
    const n = await market.units({ arg0: vault, arg1: m }, at)
    const [usdcOut] = await market.quoteSell({ m, n }, at)
    positions += usdcOut
  }
  return { worth_usdc: usdcText(balance - owed + positions), positions_usdc: usdcText(positions) }
}

/**
 * Runs the keeper's mark and compares every stored worth, as the series, the live read and the statement serve it, with the
 * chain at its block. Returns the number of worths.
 */
export async function mustMarkTheChain(theatre: Theatre, cast: readonly Played[]): Promise<number> {
  const { stack, chain, clock } = theatre
  // A new time, which no worth has yet.
  clock.advance(1_000)
  await stack.mark(clock)
  let compared = 0
  for (const { publicId: public_id, ownerId, vault } of cast) {
    const owner = stack.as(callerOf(ownerId, 'owner'))
    const { items } = await owner.readWorthSeries({ public_id, window: '24h' })
    const newest = items.at(-1)
    if (newest === undefined || newest.at !== clock.now().toISOString()) continue
    const expected = await worthAt(chain.chain, chain, vault, newest.block_number)
    expect(newest).toMatchObject({ ...expected, withheld_reason: null, leg_usdc: null })
    expect((await owner.readLive({ public_id })).worth?.worth_usdc).toBe(expected.worth_usdc)
    compared += 1
  }
  return compared
}
