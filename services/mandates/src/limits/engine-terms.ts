import { figuresOf, type Terms } from '@svc/limits'
import { getAddress, zeroAddress } from 'viem'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { signedFigures } from './terms-of-mandate.ts'

/** Returns a time in Unix seconds, rounded down. */
export const secondsOf = (at: Date): bigint => BigInt(Math.floor(at.getTime() / 1000))

/** Returns Unix seconds as RFC 3339. */
export const instantOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()

/**
 * Returns the limits of a mandate as terms of the rule engine, for results that depend on figures only, such as usage,
 * phase and lock. The terms have no leg and no allowed calls; only signed terms name calls.
 */
export function termsFromLimits({ limits, owner, agent }: Mandate): Terms {
  const agentWallet = getAddress(agent?.wallet ?? zeroAddress)
  return {
    owner: getAddress(owner?.wallet ?? zeroAddress),
    agent: agentWallet,
    feeRecipient: agentWallet,
    usdc: zeroAddress,
    legGateway: zeroAddress,
    ...figuresOf(limits),
    legBudget: 0n,
    calls: [],
  }
}

/** Returns signed terms as terms of the rule engine, without clause 6 while approvals are off; null before the first signature. */
export function termsFromSigned(stored: unknown, approvalEnabled: boolean): Terms | null {
  if (stored === null) return null
  const { markets, approvalAbove, ...figures } = signedFigures({ terms: stored })
  return {
    ...figures,
    approvalAbove: approvalEnabled ? approvalAbove : null,
    calls: markets.flatMap(({ calls }) => calls),
  }
}
