import type { LegMandate } from '@svc/contracts/mandates/leg'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { usdcText } from '@svc/limits'
import { getAddress } from 'viem'
import type { Market } from '@svc/contracts/mandates/limits'
import { ownerIdOf } from '#mandate/rules/mandate.ts'
import { stateNow } from '#states/mandate-view.ts'
import { stopOf, stoppedAt } from './rules/stop-of.ts'
import type { LegMandateRow } from './store/leg-mandates.ts'

const CAUSES = {
  owner_in_record: 'stopped_in_record',
  owner: 'stopped_by_owner',
  stop_line: 'stopped_by_stop_line',
} as const

/** Returns a mandate as hl-leg knows it. */
export function legMandateView(markets: readonly Market[], row: LegMandateRow, now: Date): LegMandate {
  const { mandate, vault, signedMarkets } = row
  const statusOf = (id: string) => markets.find(({ market_id }) => market_id === id)?.status ?? 'planned'
  const stop = stopOf(mandate, vault)
  return {
    public_id: mandate.publicId,
    name: mandate.name,
    state: stateNow(mandate, vault, now),
    owner_id: ownerIdOf(mandate),
    owner_wallet: getAddress(mandate.owner?.wallet ?? ''),
    agent_id: mandate.agent?.id ?? null,
    limits: limitsCodec.encode(mandate.limits),
    markets: (signedMarkets ?? mandate.limits.markets).map((id) => ({ market_id: id, status: statusOf(id) })),
    terms_hash: row.termsHash,
    ends_at: mandate.limits.endsAt.toISOString(),
    stop_cause: stop === null ? null : CAUSES[stop],
    stopped_at: stoppedAt(mandate, vault)?.toISOString() ?? null,
    agent_acted_at: row.agentActedAt,
    vault: vaultView(row),
  }
}

function vaultView({ vault, callsListed, mark }: LegMandateRow): LegMandate['vault'] {
  if (vault === null) return null
  const { accounted, legOut, legOpen, withdrawn, feeTotal, principal } = vault.books
  // A vault that may call nothing has no positions, so that its books say what it is worth.
  const worth = callsListed ? (mark?.worth ?? null) : accounted
  return {
    address: getAddress(vault.address),
    chain_id: vault.chain_id,
    version: vault.version,
    accounted_usdc: usdcText(accounted),
    leg_out_usdc: usdcText(legOut),
    leg_open: legOpen,
    vault_worth_usdc: worth === null || worth < 0n ? null : usdcText(worth),
    worth_at: mark?.at ?? null,
    profit_usdc: worth === null ? null : usdcText(withdrawn + worth + feeTotal - principal),
  }
}
