import { refusal } from '@svc/contract'
import { z } from 'zod'
import { instant } from '../common.ts'
import { usdc } from '../mandates/fields.ts'

/** The weight that the venue allows this deployment per minute is spent. */
export const venueBudget = refusal('venue_budget', {
  status: 503,
  title: 'Too many requests to the venue',
  meaning: 'The venue limits the requests of this deployment, and those of this minute are used up.',
  fix: 'Repeat at retry_at. Closes have their own allowance, which other requests cannot use up.',
  details: z.object({ retry_at: instant }),
})

export const featureDisabled = refusal('hub_feature_disabled', {
  status: 404,
  title: 'Switched off',
  meaning: 'This deployment has the leg, or the funding of legs, switched off.',
  fix: 'Use a mandate whose markets need no leg, or ask the operator to switch the leg on.',
})
export const notConfigured = refusal('not_configured', {
  status: 503,
  title: 'Not configured',
  meaning: 'The leg is switched on, but this deployment has no seed for the keys of legs.',
  fix: 'Ask the operator to set HUB_HL_LEG_SEED.',
})

/** Where the leg of a mandate stands. Live: bound and the four states after it, in which the owner's address is taken. */
export const legState = z
  .enum(['none', 'proposed', 'bound', 'revoked', 'expired', 'orphaned', 'unsupported', 'released'])
  .meta({ title: 'LegState', description: 'State of the leg' })
export type LegState = z.output<typeof legState>
/** Every state in which the leg's key may not sign. */
export type UnboundState = Exclude<LegState, 'bound'>

const APPROVE_AGAIN =
  'Let the owner approve a key again: sign the typed_data of GET /hub/mandates/{public_id}/hl-leg/approve-call and send it to POST /hub/mandates/{public_id}/hl-leg/bind.'
const unbound = <S extends UnboundState>(state: S, meaning: string, fix: string) =>
  refusal(`hub_hl_leg_${state}`, { status: 409, title: 'The leg is not bound', meaning, fix })

/** Refusals by the state of a leg that is not bound. */
export const legRefusals = {
  none: unbound('none', 'The mandate has no leg yet.', APPROVE_AGAIN),
  proposed: unbound('proposed', 'The owner has not approved the key of the leg yet.', APPROVE_AGAIN),
  released: unbound('released', 'The leg was released.', APPROVE_AGAIN),
  revoked: unbound(
    'revoked',
    "The venue no longer lists the leg's key: the owner revoked or replaced it.",
    APPROVE_AGAIN,
  ),
  expired: unbound('expired', "The approval of the leg's key has expired.", APPROVE_AGAIN),
  orphaned: unbound(
    'orphaned',
    "The seed of this deployment has changed, so the leg's key is lost.",
    `${APPROVE_AGAIN} Until then positions are closed at the venue with the owner's wallet.`,
  ),
  unsupported: unbound(
    'unsupported',
    "The owner's account has a mode of the venue that legs do not support: unified or portfolio margin.",
    'Let the owner switch the account back to the standard mode at the venue; the leg is then bound again.',
  ),
} as const satisfies Readonly<Record<UnboundState, ReturnType<typeof refusal>>>

export const legDebt = refusal('hub_leg_debt', {
  status: 409,
  title: 'The account owes the house',
  meaning: 'Leg money was paid back to the vault in place of the owner, or was never paid by it.',
  fix: 'Send leg_debt_usdc to pool_address at the venue with the wallet of the account.',
  details: z.object({ leg_debt_usdc: usdc, pool_address: z.string().max(42).nullable() }),
})
