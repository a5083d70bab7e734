import type { Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Job } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { coverAddresses, storeDeposits } from '../cover-addresses.ts'
import { openStream } from '#streams/open-stream.ts'
import { recheckDeposits } from '../recheck-deposits.ts'
import { orphanDeposits } from '../store/deposits.ts'
import { coveredAddresses } from '../store/watched-addresses.ts'
import { commitBlocks, type Stream } from '#streams/stream.ts'
import { sweepTransfers } from '../sweep-transfers.ts'
import { withinBudget } from '#streams/within-budget.ts'

const { depositOrphaned } = chainIndexer.events

/** USDC of test chains by chain id, for a deployment that names no USDC: Base Sepolia, as Circle publishes it. */
const TEST_CHAIN_USDC: ReadonlyMap<number, Address> = new Map([[84_532, '0x036CbD53842c5426634e7929541eC2318f3dCF7e']])

/** Finds USDC that arrives at watched addresses, and checks the deposits that were found before. */
export function depositWatch(context: Context): Job {
  const { chain, pool, settings } = context
  const usdc = chain === null ? null : usdcOf(context, chain)
  return async (signal) => {
    if (chain === null || usdc === null) return { done: 0 }
    const stream = depositStream(context, chain)
    let done = 0
    await withinBudget(signal, settings.depositTickBudgetSec, async (budget) => {
      const opened = await openStream(context, stream, budget)
      const { position, safe, head } = opened
      done += await coverAddresses(context, usdc, opened, budget)
      const addresses = await coveredAddresses(pool, chain.id)
      const to = Math.min(safe, position.nextBlock + settings.depositMaxBlocksPerTick - 1)
      let at = position
      const sweep = { usdc, from: at.nextBlock, to, head, addresses, signal: budget }
      for await (const chunk of sweepTransfers(chain, settings, sweep)) {
        at = await commitBlocks(context, stream, at, chunk, (tx) => storeDeposits(tx, chunk.deposits))
        done += chunk.deposits.length
      }
    })
    // Outside the budget: a long sweep must not keep deposits from being checked.
    const checked = await recheckDeposits(context, chain, signal)
    return { done, checked, dry_run: stream.dryRun }
  }
}

/** Returns the watched token, null if no setting names one and none is built in for the chain. Logs a warning in both cases. */
function usdcOf({ log }: Context, { id, addresses }: Chain): Address | null {
  if (addresses.usdc !== null) return addresses.usdc
  const builtIn = TEST_CHAIN_USDC.get(id) ?? null
  const followed = builtIn === null ? 'no deposits are watched' : `the USDC of this test chain is watched, ${builtIn}`
  log.warn({ chain_id: id }, `neither HUB_USDC_ADDRESS nor HUB_DEPLOYMENT_FILE names the USDC: ${followed}`)
  return builtIn
}

/** Returns the stream of USDC that arrives at watched addresses. */
export function depositStream({ settings }: Context, chain: Chain): Stream {
  return {
    name: 'deposits',
    chain,
    dryRun: settings.depositDryRun,
    startBlock: (head) => Math.max(0, head - settings.startLookback),
    takeBack: async (tx, above) =>
      (await orphanDeposits(tx, chain.id, above)).map((payload) => ({ event: depositOrphaned, payload })),
  }
}
