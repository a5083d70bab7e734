import type { z } from 'zod'
import { nobody, phaseAt, usdcText, withdrawLock as lockOf, type VaultState } from '@svc/limits'
import { getAddress } from 'viem'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { stateOf } from './rules/states.ts'
import { instantOf, termsFromLimits, secondsOf } from '#limits/engine-terms.ts'
import { standingOf } from './rules/standing.ts'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import type { chainState, mandateSummary, withdrawLock } from '@svc/contracts/mandates/mandate'
import type { Vault } from '#books/rules/vault.ts'

type Summary = z.output<typeof mandateSummary>
const PHASES = ['working', 'paused', 'stopped', 'ended', 'closed'] as const

/** Returns the current state of a mandate, even if its end has just passed and the job has not stored that yet. */
export function stateNow(mandate: Mandate, vault: Vault | null, now: Date): Mandate['state'] {
  if (mandate.state !== 'signed' && mandate.state !== 'working' && mandate.state !== 'paused') return mandate.state
  return stateOf(standingOf(mandate, vault, true, now))
}

/** Returns a mandate as lists show it. */
export function summaryView(mandate: Mandate, vault: Vault | null, now: Date): Summary {
  const { owner, agent } = mandate
  if (owner === null) throw new Error('an unowned draft must not be shown')
  return {
    public_id: mandate.publicId,
    name: mandate.name,
    state: stateNow(mandate, vault, now),
    owner_id: owner.id,
    owner_wallet: getAddress(owner.wallet),
    created_at: mandate.createdAt.toISOString(),
    changed_at: mandate.changedAt.toISOString(),
    expires_at: mandate.expiresAt?.toISOString() ?? null,
    agent:
      agent === null
        ? null
        : {
            agent_id: agent.id,
            wallet: getAddress(agent.wallet),
            accepted_at: mandate.acceptedAt?.toISOString() ?? null,
          },
    limits: limitsCodec.encode(mandate.limits),
    vault: vault === null ? null : getAddress(vault.address),
    chain_id: vault?.chain_id ?? null,
  }
}

/** Returns `phase()` of the vault contract according to its stored books. */
export const phaseView = (mandate: Mandate, { books }: Vault, now: Date): (typeof PHASES)[number] =>
  PHASES[phaseAt(termsFromLimits(mandate), books, secondsOf(now))]

/** Returns the vault of a mandate according to its stored books. */
export function chainStateView(mandate: Mandate, vault: Vault, now: Date): z.output<typeof chainState> {
  const { books } = vault
  const phase = phaseView(mandate, vault, now)
  return {
    chain_id: vault.chain_id,
    vault: getAddress(vault.address),
    factory: getAddress(vault.factory),
    version: vault.version,
    phase,
    agent: books.agent === nobody ? null : getAddress(books.agent),
    principal_usdc: usdcText(books.principal),
    balance_usdc: usdcText(books.accounted),
    withdrawn_usdc: usdcText(books.withdrawn),
    leg: vault.version === 1 ? null : legView(books),
    stop_reason: stopReason(books),
    stopped_at: books.stopReason === 0 ? null : instantOf(books.stoppedAt),
    settled: books.settled,
    as_of_block: vault.books_block,
    open_until_stopped: mandate.stoppedInRecordAt !== null && phase === 'working',
  }
}

const legView = ({ legOpen, legOut, legFunded, legReturned }: VaultState) => ({
  open: legOpen,
  out_usdc: usdcText(legOut),
  funded_usdc: usdcText(legFunded),
  returned_usdc: usdcText(legReturned),
})

const stopReason = ({ stopReason: reason }: VaultState) =>
  reason === 0 ? null : reason === 1 ? ('owner' as const) : ('stop_line' as const)

/** Returns whether the owner can withdraw now, by the rules of the vault contract. */
export function lockView(mandate: Mandate, vault: Vault, now: Date): z.output<typeof withdrawLock> {
  const { reason, until } = lockOf(termsFromLimits(mandate), vault.books, secondsOf(now))
  if (reason === 0) return { locked: false, reason: null, until: null, detail: null }
  return {
    locked: true,
    reason: reason === 1 ? 'open' : 'settle_grace',
    until: instantOf(until),
    detail:
      reason === 1
        ? 'The vault is open: stop it on the chain to withdraw at once. After its end the keeper has one day to settle it; you can withdraw after the settlement, or after that day.'
        : 'The vault has ended, and the keeper has one day to settle it; you can withdraw after the settlement, or after that day.',
  }
}
