import { randomBytes } from 'node:crypto'
import type { SettingsOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { actingSettings } from '@svc/contracts/mandates-acting-settings'
import { clientOf, RemoteRefusal, type Bus } from '@svc/service'
import type { Hex } from 'viem'

/** What the chain says of a call that is not sent. */
export interface ChainDryRun {
  readonly ok: boolean
  readonly error: string | null
  readonly target_error: string | null
}

/** What acting under a mandate needs besides the rest of the context. */
export interface ActingParts {
  readonly approvalTtlMs: number
  readonly approvalMaxOpen: number
  newApprovalId(): string
  /** Address of a mandate's page, for alerts. */
  linkTo(publicId: string): string
  /** Runs a call without sending it; null while no chain is configured. */
  dryRun(call: { readonly to: string; readonly from: string; readonly data: Hex }): Promise<ChainDryRun | null>
}

export function actingParts(bus: Bus, settings: SettingsOf<typeof actingSettings>): ActingParts {
  const chain = clientOf(bus, 'mandates', chainIndexer)
  return {
    approvalTtlMs: settings.approvalTtlHours * 3_600_000,
    approvalMaxOpen: settings.approvalMaxOpen,
    newApprovalId: () => `apr_${randomBytes(16).toString('hex')}`,
    linkTo: (publicId) => `${settings.publicWebBase.replace(/\/$/, '')}/ui/mandates/${publicId}`,
    dryRun: async (call) => {
      try {
        const { ok, revert } = await chain.simulateCall(call)
        return {
          ok,
          error: ok ? null : (revert?.name ?? revert?.selector ?? 'out of gas'),
          target_error: revert?.inner?.name ?? null,
        }
      } catch (error) {
        if (error instanceof RemoteRefusal && error.body.code === 'chain_not_configured') return null
        throw error
      }
    },
  }
}
