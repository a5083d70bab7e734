import { figuresOf, type Terms } from '@svc/limits'
import { getAddress, zeroAddress } from 'viem'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { signedFigures } from './terms-of-mandate.ts'

/** Unix seconds, rounded down. */
export const secondsOf = (at: Date): bigint => BigInt(Math.floor(at.getTime() / 1000))

/** RFC 3339 of Unix seconds. */
export const instantOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()

/**
 * The limits of a mandate as the rule engine takes them, for what follows from its figures alone, such as usage, phase
 * and lock. Without a leg, and without the allowed calls, which only signed terms name.
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

/** Signed terms as the rule engine takes them, with clause 6 only while approvals are on; null before the first signature. */
export function termsFromSigned(stored: unknown, approvalEnabled: boolean): Terms | null {
  if (stored === null) return null
  const { markets, approvalAbove, ...figures } = signedFigures({ terms: stored })
  return {
    ...figures,
    approvalAbove: approvalEnabled ? approvalAbove : null,
    calls: markets.flatMap(({ calls }) => calls),
  }
}
