import { read, type Chain } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { expect } from 'vitest'
import type { Played, Theatre } from './script.ts'
import { callerOf } from './stack.ts'

/** What a vault is worth after a block: its USDC without the fee that it owes, and what its venue pays for all it holds. */
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
 * Has the keeper value the vaults, and compares every worth that this stored, as the series, the live read and the
 * statement serve it, with the chain at its block. Answers how many there were.
 */
export async function mustMarkTheChain(theatre: Theatre, cast: readonly Played[]): Promise<number> {
  const { stack, chain, clock } = theatre
  // A time that no worth has yet.
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
