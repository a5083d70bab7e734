import { LEG_AGENT_NAME, type LegCheck } from '@svc/contracts/hl-leg/legs'
import { isLiveKey, isStandardMode, listedKey, type NamedAgent } from '@svc/venue/rules/account'
import { SKEW_MS_MAX } from './clock.ts'

/** What was read of an owner's account at the venue. Null: not read. */
export interface AccountFacts {
  readonly role: 'missing' | 'user' | 'agent' | 'subAccount' | 'vault' | null
  readonly mode: string | null
  readonly agents: readonly NamedAgent[] | null
  /** No position and no open order on any dex that is read. */
  readonly isFlat: boolean | null
  readonly skewMs: number | null
}

/** The key of a leg and what is expected of it. */
export interface ExpectedKey {
  /** Lower case; null before the first approval. */
  readonly address: string | null
  /** Whether the seed of this deployment still derives it. */
  readonly isOurs: boolean
  readonly validUntil: Date | null
  /** A live leg trades: it need not be flat any more. */
  readonly isBound: boolean
}

/** The venue lets an account name so many agents. */
const NAMED_MAX = 3

type Found = Omit<LegCheck, 'id'>
const pass = (detail: string): Found => ({ verdict: 'pass', detail, fix: null })
const found = (verdict: Exclude<LegCheck['verdict'], 'pass'>, detail: string, fix: string | null = null): Found => ({
  verdict,
  detail,
  fix,
})
const notRead = found('unknown', 'The venue was not asked yet.')

/** Judges an account for a leg, one verdict per check, in the documented order. */
export function checksOf(facts: AccountFacts, key: ExpectedKey, now: Date): LegCheck[] {
  const listed = listedKey(facts.agents, key.address, now)
  const verdicts: Readonly<Record<LegCheck['id'], Found>> = {
    wallet_ecdsa:
      listed === null
        ? found('pending', 'The signature of the approval proves that the wallet signs with a key.')
        : pass('The wallet signed an approval with a key.'),
    known_at_venue: known(facts.role),
    account_mode: mode(facts.mode),
    not_subaccount: kind(facts.role),
    agent_slot: slot(facts.agents, now),
    approval_listed: listing(facts.agents, listed),
    approval_life: life(listed, key, now),
    seed_match: key.isOurs
      ? pass('The seed of this deployment derives the key.')
      : found('fail', 'The seed of this deployment does not derive the key.', 'Approve a key again with approve-call.'),
    foreign_agents: foreign(facts.agents, now),
    account_flat: flat(facts.isFlat, key.isBound),
    clock: clock(facts.skewMs),
  }
  return Object.entries(verdicts).map(([id, one]) => ({ id: id as LegCheck['id'], ...one }))
}

/** Returns true if no check fails. */
export const areReady = (checks: readonly LegCheck[]): boolean => checks.every(({ verdict }) => verdict !== 'fail')

/** Returns true if every check passes; other keys of the account are a warning and do not count. */
export const areProven = (checks: readonly LegCheck[]): boolean =>
  checks.length > 0 && checks.every(({ verdict }) => verdict === 'pass' || verdict === 'warn')

/** Returns true if the venue was asked and does not know the account. */
export const isUnknownAtVenue = (checks: readonly LegCheck[]): boolean =>
  checks.some(({ id, verdict }) => id === 'known_at_venue' && verdict === 'fail')

/** Returns the keys of an account that are not named as the leg's. */
export const foreignKeys = (agents: readonly NamedAgent[], now: Date): readonly NamedAgent[] =>
  agents.filter((agent) => agent.name !== LEG_AGENT_NAME && isLiveKey(agent, now))

function known(role: AccountFacts['role']): Found {
  if (role === null) return notRead
  if (role !== 'missing') return pass('The venue knows the account.')
  const fix = 'Send at least 5 USDC to the address at the venue; the first payment opens the account.'
  return found('fail', 'The venue has never seen the address, and such an address cannot approve a key.', fix)
}

function kind(role: AccountFacts['role']): Found {
  if (role === null) return notRead
  if (role === 'user' || role === 'missing') return pass('The account is neither sub-account, vault nor key.')
  return found('fail', `The address is a ${role} at the venue.`, 'Use a wallet with an account of its own.')
}

function mode(given: string | null): Found {
  if (given === null) return notRead
  if (isStandardMode(given)) return pass(`The mode of the account is ${given}.`)
  const fix = 'Switch the account to the standard mode at the venue.'
  return found('fail', `The mode of the account is ${given}; its value and payments cannot be told apart.`, fix)
}

function slot(agents: AccountFacts['agents'], now: Date): Found {
  if (agents === null) return notRead
  const others = foreignKeys(agents, now).length
  if (others < NAMED_MAX) return pass(`${others} of ${NAMED_MAX} keys are taken by others.`)
  return found('fail', `The account has ${others} other keys; the venue allows ${NAMED_MAX}.`, 'Revoke one of them.')
}

function listing(agents: AccountFacts['agents'], listed: NamedAgent | null): Found {
  if (agents === null) return notRead
  if (listed !== null) return pass('The venue lists the approval of the key.')
  return found('pending', 'The venue does not list the key.', 'Sign the typed_data of approve-call and bind.')
}

function life(listed: NamedAgent | null, key: ExpectedKey, now: Date): Found {
  if (listed === null) return found('pending', 'The key is not approved yet.')
  if (listed.validUntil === null || key.validUntil === null || listed.validUntil >= key.validUntil.getTime())
    return pass('The approval lasts longer than the mandate.')
  const until = new Date(listed.validUntil).toISOString()
  const fix = 'Approve a key again with approve-call before then.'
  const isSoon = listed.validUntil <= now.getTime()
  return found(isSoon ? 'fail' : 'warn', `The approval ends at ${until}, before the mandate needs it no more.`, fix)
}

function foreign(agents: AccountFacts['agents'], now: Date): Found {
  if (agents === null) return notRead
  const others = foreignKeys(agents, now).length
  if (others === 0) return pass('No other key may trade in the account.')
  return found('warn', `${others} other keys may trade in the account.`, 'Revoke keys that you do not use.')
}

function flat(isFlat: boolean | null, isBound: boolean): Found {
  if (isBound) return pass('The account was flat when it was bound.')
  if (isFlat === null) return notRead
  if (isFlat) return pass('The account has no position and no open order.')
  const fix = 'Close the positions and cancel the orders of the account at the venue.'
  return found('fail', 'The account has a position or an open order.', fix)
}

function clock(skewMs: number | null): Found {
  if (skewMs === null) return notRead
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return pass("The venue's clock and ours agree.")
  const fix = 'Nothing is wrong with the account. Repeat later, or tell the operator.'
  return found('fail', `The venue's clock differs from ours by ${Math.round(skewMs / 1000)} s.`, fix)
}
