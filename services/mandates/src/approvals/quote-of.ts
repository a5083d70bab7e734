import { quoteTrade } from '@svc/chain'
import type { ApprovalItem } from '@svc/contracts/mandates/approvals'
import { usdcText } from '@svc/limits'
import { readCall } from '@svc/limits/call-meaning'
import type { Call } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { contractMarkets } from '#limits/market-catalogue.ts'
import { orNull } from '#neighbours/or-null.ts'
import type { Approval } from './store/approvals.ts'

/** The longest time that a list waits for the quote. */
const WAIT_MS = 2_500

/** Returns what a held call would get at the present price of its venue; null if the call or its price is unknown. */
export async function quoteOf(
  { deployment, chainClient }: Pick<Context, 'deployment' | 'chainClient'>,
  { kind, status, target, data }: Approval,
  { deadline }: Pick<Call, 'deadline'>,
): Promise<ApprovalItem['quote']> {
  if (kind !== 'call' || status !== 'pending' || !deployment.venueAdapter) return null
  const meaning = readCall({ target, data }, contractMarkets(deployment))
  if (typeof meaning === 'string' || meaning.action === 'redeem') return null
  const { action, instrument: name, pays, units } = meaning
  const until = Math.min(deadline, Date.now() + WAIT_MS)
  const ask = async (call: { readonly to: string; readonly data: `0x${string}` }) =>
    (await orNull(chainClient.simulate(call, until)))?.data ?? null
  const quote = await quoteTrade(getAddress(target), { action, name, amount: pays ?? units ?? 0n }, ask)
  if (quote === null) return null
  // Positions are worth what closing them pays, so a sale at the present price changes no worth.
  return { gets: usdcText(quote.gets), effect_usdc: usdcText(quote.exit - (pays ?? quote.exit)) }
}
