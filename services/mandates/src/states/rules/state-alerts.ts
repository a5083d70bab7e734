import { usdcText } from '@svc/limits'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Move } from './states.ts'

/** Alerts about the state of a mandate; each stays open until the mandate moves on. */
export const STATE_ALERTS = ['stop_line_fired', 'mandate_ended', 'money_returned'] as const

interface StateAlert {
  readonly kind: (typeof STATE_ALERTS)[number]
  readonly severity: 'info' | 'warning' | 'critical'
  readonly text: string
}

/**
 * Returns the alert for a move; null for a move that the owner made or that needs no action by the owner. `said` replaces
 * the text where the cause of the move has more to say.
 */
export function alertOfMove(
  { name, limits }: Mandate,
  move: Move,
  hasVault: boolean,
  said?: string,
): StateAlert | null {
  switch (move.cause) {
    case 'stopped_by_stop_line':
      return {
        kind: 'stop_line_fired',
        severity: 'critical',
        text:
          said ??
          `The stop line of "${name}" (${usdcText(limits.stopLine)} USDC) fired: the vault is stopped for good. Close the positions that are still open, then withdraw.`,
      }
    case 'end_passed':
      return hasVault
        ? {
            kind: 'mandate_ended',
            severity: 'warning',
            text: `"${name}" has ended: its agent may not spend any more. Close the positions that are still open, then withdraw.`,
          }
        : { kind: 'mandate_ended', severity: 'info', text: `"${name}" has ended before it had a vault.` }
    case 'money_returned':
      return {
        kind: 'money_returned',
        severity: 'warning',
        text: `Money came back to the vault of "${name}" after it was closed. Withdraw it.`,
      }
    default:
      return null
  }
}
