import type { OwnRefusal } from '@svc/contracts/hl-trade/account'
import { isStandardMode } from '@svc/venue/rules/account'

/** What the venue says of an address. */
export interface VenueStanding {
  readonly role: 'missing' | 'user' | 'agent' | 'subAccount' | 'vault'
  /** Mode of the account; null if it was not asked, because the role decides. */
  readonly mode: string | null
}

const BY_ROLE = {
  missing: 'unknown_at_venue',
  agent: 'agent',
  subAccount: 'sub_account',
  vault: 'vault',
} as const

/** Returns why an account may not be traded; null if it may. The role comes before the mode. */
export function walletRefusal({ role, mode }: VenueStanding): OwnRefusal | null {
  if (role !== 'user') return BY_ROLE[role]
  if (mode === null || isStandardMode(mode)) return null
  if (mode === 'unifiedAccount') return 'unified_account'
  return mode === 'portfolioMargin' ? 'portfolio_margin' : 'other_mode'
}

const STANDARD = 'Switch the account to the standard mode at the venue, then repeat.'

/** What an owner does about each refusal. */
export const WALLET_FIXES: Readonly<Record<OwnRefusal, string>> = {
  unknown_at_venue:
    'Send at least 5 USDC to the address at the venue; the first payment opens the account. Then repeat.',
  sub_account: 'The address is a sub-account. Link the wallet of its master account.',
  vault: 'The address is a vault of the venue. Link a wallet with an account of its own.',
  agent: 'The address is a key of another account. Link the wallet that owns this account.',
  unified_account: `The account is unified, so its value and margin cannot be told apart by dex. ${STANDARD}`,
  portfolio_margin: `The account has portfolio margin, which is not supported. ${STANDARD}`,
  other_mode: `The mode of the account is not supported. ${STANDARD}`,
}
