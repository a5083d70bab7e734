import type { LegMandate } from '@svc/contracts/mandates/leg'
import { parseSeed } from '@svc/hyperliquid/signing'
import type { Context } from '#context.ts'
import { startMoneyRig, type MoneyRig } from '../money/money-rig.ts'
import { stranger } from '../money/transfer-script.ts'
import { withBooks, type BookedRig, type TestLeg } from '../orders/order-rig.ts'
import { ownerWallet } from '../rig.ts'

/** hl-leg with orders, funding and the stop line at once, in two processes, and clocks that may differ. */
export interface WholeRig extends MoneyRig {
  readonly booked: BookedRig
  readonly second: Context
  /** Context of a process that was started with another seed. */
  readonly otherSeed: Context
  /** Moves the clock of the venue ahead, or ours if negative, so that none ever runs backwards. */
  skew(ms: number): void
  /** Ends the difference of the clocks. */
  alignClocks(): void
  /** A mandate with a bound leg, whose owner holds 1,000 USDC of their own. */
  newLeg(ownerId: number): Promise<{ readonly mandate: LegMandate; readonly leg: TestLeg }>
}

/** Most that clocks differ. */
const SKEW_MS_MAX = 20_000

export async function startWholeRig(): Promise<WholeRig & Awaited<ReturnType<typeof startMoneyRig>>> {
  const money = await startMoneyRig()
  const booked = withBooks(money.rig)
  const { rig } = money
  const { answers, known } = rig.mandates
  answers['noteWorker'] = () => ({ ok: true })
  answers['stopForLine'] = ({ public_id }: { public_id: string }) => {
    const mandate = known.get(public_id)
    if (mandate !== undefined)
      known.set(public_id, { ...mandate, state: 'stopped', stop_cause: 'stopped_by_stop_line' })
    return { ok: true, state: 'stopped' }
  }
  rig.venue.control('fund', { address: stranger, amount: '100000' })
  let aheadMs = 0
  const tellVenue = () => rig.venue.control('time', { now_ms: rig.clock.now().getTime() + aheadMs })
  const advance = (ms: number) => {
    rig.clock.advance(ms)
    tellVenue()
  }
  Object.defineProperty(rig, 'advance', { value: advance })
  const second = await rig.second()
  const otherSeed = Object.create(rig.context, {
    seed: { value: parseSeed('22'.repeat(32)) },
  }) as Context
  const parts = {
    booked,
    second,
    otherSeed,
    skew: (ms: number) => {
      const changed = Math.max(-SKEW_MS_MAX, Math.min(SKEW_MS_MAX, aheadMs + ms)) - aheadMs
      aheadMs += changed
      if (changed < 0) rig.clock.advance(-changed)
      tellVenue()
    },
    alignClocks: () => {
      if (aheadMs > 0) rig.clock.advance(aheadMs)
      aheadMs = 0
      tellVenue()
    },
    newLeg: async (ownerId: number) => {
      const bound = await money.leg(ownerId)
      const mandate = { ...bound, vault: { ...money.vault, vault_worth_usdc: '500' } }
      known.set(mandate.public_id, mandate)
      const account = ownerWallet(ownerId).address.toLowerCase()
      return { mandate, leg: { publicId: mandate.public_id, ownerId, agentId: mandate.agent_id ?? 0, account } }
    },
  }
  return Object.defineProperties(money, Object.getOwnPropertyDescriptors(parts)) as typeof money & typeof parts
}
