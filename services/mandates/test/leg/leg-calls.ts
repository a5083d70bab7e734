import type { InputOf } from '@svc/contract'
import { mandates } from '@svc/contracts/mandates'
import { clientOf, type Bus } from '@svc/service'
import type { SeededRig, TestMandate } from '../rigs/seeded-rig.ts'

type Judged = InputOf<typeof mandates.operations.judgeLegOrder>
type Resolved = InputOf<typeof mandates.operations.resolveLegOrder>

/** Limits of a mandate with a leg: caps of 50 and 150 USDC, approvals above 40. */
export const legLimits = { hlLeg: true, markets: ['hl:BTC', 'hl:ETH'] } as const

/** What hl-leg asks of mandates. */
export const legClient = (bus: Bus) => clientOf(bus, 'hl-leg', mandates)
export type LegClient = ReturnType<typeof legClient>

/** Connects to the rig as hl-leg. */
export async function connectLeg(rig: SeededRig): Promise<{ readonly leg: LegClient; close(): Promise<void> }> {
  const bus = await rig.stack.nats.connect('hl-leg')
  return { leg: legClient(bus), close: () => bus.close() }
}

/** An open of the mandate's agent; `usdc` is size times worst price. */
export const open = (mandate: TestMandate, key: string, usdc: string, change: Partial<Judged> = {}): Judged => ({
  public_id: mandate.publicId,
  order_key: key,
  account_id: mandate.agentId,
  as: 'agent',
  market: 'hl:BTC',
  side: 'buy',
  opening: true,
  notional_usdc: usdc,
  worth_low_usdc: '500',
  loss_usdc: '0.5',
  request: { market: 'hl:BTC', side: 'buy', amount_usdc: '45', size: null, reduce_only: false, max_slippage: null },
  guards: [],
  dry_run: false,
  ...change,
})

/** The end of an order of the agent, filled whole for this notional. */
export const filled = (mandate: TestMandate, key: string, usdc: string, change: Partial<Resolved> = {}): Resolved => ({
  public_id: mandate.publicId,
  order_key: key,
  outcome: 'filled',
  as: 'agent',
  opening: true,
  market: 'hl:BTC',
  side: 'buy',
  cloid: `0x${'0'.repeat(24)}${key.padStart(8, '0')}`,
  oid: 77,
  size: '0.001',
  filled_size: '0.001',
  average_price: '30000',
  notional_usdc: usdc,
  fee_usdc: '0.0135',
  bad_fill_usdc: '0',
  at: '2026-11-21T10:00:00.500Z',
  ...change,
})

/** The end of an order that the venue did not fill. */
export const missed = (mandate: TestMandate, key: string): Resolved =>
  filled(mandate, key, '0', { outcome: 'missed', filled_size: '0', average_price: null, fee_usdc: '0' })
