import type { OwnCheck, OwnRefusal } from '@svc/contracts/hl-trade/account'
import { WALLET_FIXES } from './wallet-refusal.ts'

/** What decides whether an owner's account may trade with its order key. */
export interface OwnFacts {
  readonly isLinked: boolean
  readonly refused: OwnRefusal | null
  readonly keyState: 'none' | 'offered' | 'enabled' | 'revoked' | 'expired' | 'orphaned'
  /** Whether this deployment has a seed of order keys. */
  readonly hasSeed: boolean
  readonly hasBuilder: boolean
  readonly isFeeApproved: boolean
  /** Null: hl-leg did not answer. */
  readonly isLegBound: boolean | null
  readonly isLive: boolean
}

const LINK = 'Link an account: POST /hub/own/link/challenge, sign the message, POST /hub/own/link.'
const APPROVE =
  'Sign approvals.order_key with the linked wallet, send it to POST /hub/own/enable/relay, then call POST /hub/own/enable/verify.'
const NO_SEED =
  'Ask the operator to set SVC_TRADE_AGENT_SEED. Until then sign orders with a key of your own in the browser.'
const KEY_FIXES: Readonly<Record<OwnFacts['keyState'], string>> = {
  none: APPROVE,
  offered: APPROVE,
  enabled: APPROVE,
  revoked: `The venue no longer lists the order key. ${APPROVE}`,
  expired: `The approval of the order key has ended. ${APPROVE}`,
  orphaned: `The key was made with another seed of this deployment and is lost. ${APPROVE}`,
}
const NO_BUILDER = 'Ask the operator to set SVC_BUILDER_ADDRESS: without a builder no live order is sent.'
const APPROVE_FEE =
  'Sign approvals.builder_fee with the linked wallet, send it to POST /hub/own/enable/relay, then call POST /hub/builder-fee/record.'

const NOT_READ = 'It could not be read now.'
const detail = (pass: string, fail: string) => ({ pass, fail, unknown: NOT_READ })
const DETAILS: Readonly<Record<OwnCheck['id'], ReturnType<typeof detail>>> = {
  linked: detail('A wallet is linked.', 'No wallet is linked.'),
  wallet_ok: detail('The linked account may be traded.', 'No linked account may be traded.'),
  key_approved: detail('The order key is approved.', 'The order key is not approved.'),
  key_matches_seed: detail(
    'No order key is of another seed.',
    'The order key is of another seed, or there is no seed.',
  ),
  builder_fee_approved: detail('The builder fee is approved.', 'The builder fee is not approved.'),
  not_leg_bound: detail('No leg trades in the account.', 'The leg of a mandate trades in the account.'),
  live_trading: detail('Live trading is on.', 'Live trading is switched off.'),
}

/** Judges an own account: one independent answer a check, in the documented order, each with its fix. */
export function ownChecksOf(facts: OwnFacts): OwnCheck[] {
  const { isLinked, refused, keyState, hasSeed } = facts
  const isApproved = keyState === 'enabled' || keyState === 'orphaned'
  const check = (id: OwnCheck['id'], ok: boolean | null, fix: string): OwnCheck => {
    const verdict = ok === null ? 'unknown' : ok ? 'pass' : 'fail'
    return { id, ok, verdict, detail: DETAILS[id][verdict], fix: ok === true ? null : fix }
  }
  return [
    check('linked', isLinked, LINK),
    check('wallet_ok', isLinked && refused === null, refused === null ? LINK : WALLET_FIXES[refused]),
    check('key_approved', isApproved, hasSeed ? KEY_FIXES[keyState] : NO_SEED),
    check('key_matches_seed', hasSeed && keyState !== 'orphaned', hasSeed ? KEY_FIXES.orphaned : NO_SEED),
    check('builder_fee_approved', facts.hasBuilder && facts.isFeeApproved, facts.hasBuilder ? APPROVE_FEE : NO_BUILDER),
    check(
      'not_leg_bound',
      facts.isLegBound === null ? null : !facts.isLegBound,
      facts.isLegBound === null
        ? 'The leg could not be asked. Repeat later.'
        : 'The leg of a mandate trades in this account. Stop the mandate and release its leg with POST /hub/mandates/{public_id}/hl-leg/unbind, or link another wallet.',
    ),
    check('live_trading', facts.isLive, 'This deployment has live trading switched off. Paper orders and closes work.'),
  ]
}

/** Returns true if every check is ok. */
export const canTrade = (checks: readonly OwnCheck[]): boolean => checks.every(({ ok }) => ok === true)
