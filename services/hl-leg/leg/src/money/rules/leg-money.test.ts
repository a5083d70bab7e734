import type { TransferKind } from '@svc/contracts/hl-leg/money'
import { countedWorth, movingMoney } from '@svc/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { venueTotals } from './venue-totals.ts'
import { after, stateOf, type Standing } from './transfer-state.ts'

interface Row {
  standing: Standing
  readonly amount: bigint
  venueAt: number | null
}

/** A vault, the gateway's pool and an account, in which each step and fault happens as the real parties would do it. */
class World {
  now = 0
  vault = 1_000n
  /** What the account holds of the leg, with its profit. */
  account = 0n
  profit = 0n
  funded = 0n
  returned = 0n
  /** What the house paid to the vault in excess of what came back, or lost to the account. */
  house = 0n
  readonly rows: Row[] = []
  /** Account values with their times, oldest first. */
  readonly readings: { readonly at: number; readonly value: bigint }[] = [{ at: 0, value: 0n }]

  open(kind: TransferKind, amount: bigint): void {
    this.rows.push({ standing: { kind, chain: 'none', venue: 'none' }, amount, venueAt: null })
  }

  /** Tells a row an event; returns whether it changed. */
  tell(row: Row, event: Parameters<typeof after>[1]): boolean {
    const next = after(row.standing, event)
    if (next === null || next === row.standing) return false
    row.standing = next
    return true
  }

  read(): void {
    this.readings.push({ at: this.now, value: this.account })
  }
}

type Step = (world: World, row: Row | undefined, size: bigint) => void

const STEPS: Record<string, Step> = {
  fund: (world, _, size) => {
    if (
      world.vault >= size &&
      !world.rows.some((one) => one.standing.kind === 'fund' && stateOf(one.standing) === 'planned')
    )
      world.open('fund', size)
  },
  fundLeg: (world, row) => {
    if (row?.standing.kind !== 'fund' || row.standing.chain === 'seen' || world.vault < row.amount) return
    if (!world.tell(row, 'chain_seen')) return
    world.vault -= row.amount
    world.funded += row.amount
  },
  reorganise: (world, row) => {
    if (row?.standing.kind !== 'fund' || !world.tell(row, 'chain_lost')) return
    world.vault += row.amount
    world.funded -= row.amount
  },
  sign: (world, row) => {
    if (row !== undefined && row.standing.kind !== 'payment') world.tell(row, 'venue_signed')
  },
  deliver: (world, row) => {
    if (row === undefined || row.standing.venue !== 'signed') return
    if (row.standing.kind !== 'fund' && world.account < row.amount) return
    if (!world.tell(row, 'venue_landed')) return
    row.venueAt = world.now
    world.account += row.standing.kind === 'fund' ? row.amount : -row.amount
  },
  refuse: (world, row) => {
    if (row === undefined || !world.tell(row, 'venue_refused')) return
    if (stateOf(row.standing) === 'turned_back') world.open('turn_back', row.amount)
  },
  giveBack: (world, row) => {
    if (row === undefined || row.standing.kind === 'fund') return
    if (!world.tell(row, 'chain_seen')) return
    world.vault += row.amount
    world.returned += row.amount
  },
  fail: (world, row) => {
    if (row !== undefined) world.tell(row, 'chain_failed')
  },
  payOut: (world, _, size) => {
    if (world.account >= size) world.open('return', size)
  },
  gain: (world, _, size) => {
    world.account += size
    world.profit += size
  },
  lose: (world, _, size) => {
    const lost = size > world.account ? world.account : size
    world.account -= lost
    world.profit -= lost
  },
  read: (world) => world.read(),
}

const script = fc.array(
  fc.record({
    step: fc.constantFrom(...Object.keys(STEPS)),
    at: fc.nat(20),
    size: fc.bigInt({ min: 1n, max: 300n }),
  }),
  { maxLength: 60 },
)

test('vault, moving money and account add up to what was paid in and the profit, by a reading of any age and after any faults', () => {
  fc.assert(
    fc.property(script, fc.nat(30), (steps, age) => {
      const world = new World()
      for (const { step, at, size } of steps) {
        world.now += 1
        STEPS[step]?.(world, world.rows[at % Math.max(1, world.rows.length)], size)
      }
      world.read()
      const reading = world.readings[Math.max(0, world.readings.length - 1 - age)] as World['readings'][number]
      const counted = world.rows.map(({ standing: { kind }, amount, venueAt }) => ({ kind, amount, venueAt }))
      const { delivered, left } = venueTotals(counted, reading.at)
      const moving = movingMoney(world, { delivered, left })
      const profitThen = reading.value - delivered + left
      expect(world.vault + moving + reading.value).toBe(1_000n + profitThen)
      if (reading.at === world.now) expect(profitThen).toBe(world.profit)
    }),
    { numRuns: 500 },
  )
})

test('money under way counts once: never less than nothing while each delivered funding is backed', () => {
  fc.assert(
    fc.property(script, (steps) => {
      const world = new World()
      for (const { step, at, size } of steps.filter(({ step: name }) => name !== 'reorganise')) {
        world.now += 1
        STEPS[step]?.(world, world.rows[at % Math.max(1, world.rows.length)], size)
      }
      const counted = world.rows.map(({ standing: { kind }, amount, venueAt }) => ({ kind, amount, venueAt }))
      expect(movingMoney(world, venueTotals(counted, world.now))).toBeGreaterThanOrEqual(0n)
    }),
    { numRuns: 300 },
  )
})

test('foreign money never counts as worth, nor does money that the account does not hold', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -500n, max: 500n }), fc.bigInt({ min: -500n, max: 500n }), (value, foreign) => {
      const worth = countedWorth({ value, foreign })
      expect(worth).toBeGreaterThanOrEqual(0n)
      expect(worth <= (value > 0n ? value : 0n)).toBe(true)
      if (foreign > 0n && value > 0n) expect(worth <= (value - foreign > 0n ? value - foreign : 0n)).toBe(true)
    }),
  )
})
