import type { BuilderConfig, OwnStatus, Trader } from './answers.ts'

/** One thing that must be true before an order is signed. */
export interface Step {
  readonly id: OwnStatus['checks'][number]['id'] | 'page_key'
  /** Null: could not be read now. */
  readonly ok: boolean | null
  /** What the service says to do, in its words; null where there is nothing to do. */
  readonly fix: string | null
  readonly action: StepAction | null
}

/** The one thing that can be done about a step here. */
export type StepAction = 'link' | 'approve_key' | 'approve_fee' | 'make_page_key' | 'to_mandates'

interface LinkFacts {
  readonly status: OwnStatus
  readonly hasPageKey: boolean
  readonly builder: BuilderConfig | null
}

/**
 * Returns the steps in their order, each with what can be done about it now. Where no key is approved and no account is
 * linked, nothing is said of that key and that account.
 */
export function stepsOf({ status, hasPageKey }: LinkFacts): readonly Step[] {
  const { approvals, wallet } = status
  const isApproved = status.checks.some(({ id, ok }) => id === 'key_approved' && ok === true)
  const applies: Partial<Record<Step['id'], boolean>> = { key_matches_seed: isApproved, not_leg_bound: wallet !== null }
  const checks = status.checks.filter(({ id }) => applies[id] !== false)
  const steps: Step[] = checks.map(({ id, ok, fix }) => ({
    id,
    ok,
    fix,
    action: ok === true ? null : actionOf(id, status),
  }))
  const page: Step = {
    id: 'page_key',
    ok: hasPageKey,
    fix: null,
    action: !hasPageKey && wallet !== null && approvals !== null ? 'make_page_key' : null,
  }
  return [...steps, page]
}

function actionOf(id: OwnStatus['checks'][number]['id'], { wallet, approvals }: OwnStatus): StepAction | null {
  switch (id) {
    case 'linked':
      return 'link'
    case 'wallet_ok':
      return wallet === null ? null : 'link'
    case 'key_approved':
      return approvals.order_key === null ? null : 'approve_key'
    case 'builder_fee_approved':
      return approvals.builder_fee === null ? null : 'approve_fee'
    case 'not_leg_bound':
      return wallet === null ? null : 'to_mandates'
    case 'key_matches_seed':
    case 'live_trading':
      return null
  }
}

/** A message to link an account that is not for this page, wallet or purpose. */
export class ForeignLink extends Error {
  override readonly name = 'ForeignLink'
}

/** Throws unless a message (EIP-4361) links this wallet, for this host and origin. */
export function mustLink(
  message: string,
  wallet: string,
  place: { readonly host: string; readonly origin: string },
): void {
  const [first = '', second = ''] = message.split('\n')
  const uri = /^URI: (.*)$/m.exec(message)?.[1] ?? ''
  if (!first.startsWith(`${place.host} wants you to sign in with your Ethereum account`)) throw new ForeignLink('host')
  if (second.toLowerCase() !== wallet.toLowerCase()) throw new ForeignLink('wallet')
  if (uri !== place.origin && !uri.startsWith(`${place.origin}/`)) throw new ForeignLink('URI')
  if (!/^Link the account of this wallet at the venue to account \d+ here/m.test(message))
    throw new ForeignLink('purpose')
}

/** Returns true if the trader may sign orders in one way or another. */
export const maySign = (trader: Pick<Trader, 'linked' | 'order_key'>, hasPageKey: boolean): boolean =>
  trader.linked && (trader.order_key === 'enabled' || hasPageKey)
