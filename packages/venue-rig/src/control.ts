import { z } from 'zod'
import { tick } from './clock.ts'
import { type FaultBoard, faultSchema } from './faults.ts'
import {
  type BookCommand,
  type MarginCommand,
  rest,
  type RestCommand,
  setBook,
  setMargin,
  trade,
  type TradeCommand,
} from './hands.ts'
import { dexNamed, marketOf } from './markets.ts'
import { changeMode } from './modes.ts'
import { type SpotFill, spotFill } from './spot.ts'
import { type Mode, now, type State, touchAccount } from './state.ts'
import { deposit } from './transfers.ts'
import type { WeightBudget } from './weights.ts'
import { dexFrom, marketFrom, newWorld, refill } from './world.ts'

const amount = z.string().regex(/^\d+(\.\d{1,8})?$/)
const price = amount.refine((text) => Number(text) > 0)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((given) => given.toLowerCase())
const levels = z.array(z.strictObject({ px: price, sz: price })).max(1_000)

/** One command of the control plane by its name; each changes the state as the venue or its users could. */
const COMMANDS = {
  reset: [z.strictObject({}), (rig: Rig) => rig.restore(newWorld())],
  snapshot: [z.strictObject({}), (rig: Rig) => rig.state],
  restore: [
    z.strictObject({ state: z.looseObject({}) }),
    (rig: Rig, { state }: { state: unknown }) => rig.restore(state as State),
  ],
  /** Pays in on the main dex, on another one, or in `spot`. */
  fund: [
    z.strictObject({ address, amount, place: z.string().default('') }),
    (rig: Rig, given: { address: string; amount: string; place: string }) =>
      deposit(rig.state, given.address, given.amount, given.place),
  ],
  mode: [
    z.strictObject({ address, mode: z.enum(['default', 'disabled', 'unifiedAccount', 'portfolioMargin']) }),
    (rig: Rig, given: { address: string; mode: Mode }) =>
      changeMode(rig.state, touchAccount(rig.state, given.address), given.mode),
  ],
  /** Where the USDC of an account lies that leaves the unified mode: on the main dex, or in spot until it is moved. */
  'mode-return': [
    z.strictObject({ to: z.enum(['perps', 'spot']) }),
    (rig: Rig, given: { to: 'perps' | 'spot' }) => void (rig.state.staysInSpot = given.to === 'spot'),
  ],
  role: [
    z.strictObject({ address, role: z.enum(['vault', 'subAccount']), master: address.optional() }),
    (rig: Rig, given: RoleCommand) => {
      const { role, master = given.address } = given
      rig.state.roles ??= {}
      rig.state.roles[given.address] = role === 'vault' ? { role } : { role, master }
    },
  ],
  mark: [
    z.strictObject({ coin: z.string(), price, oracle: price.optional() }),
    (rig: Rig, given: { coin: string; price: string; oracle?: string | undefined }) => {
      const { market } = marketOf(rig.state, given.coin)
      market.mark = given.price
      market.oracle = given.oracle ?? given.price
      market.pinned = true
      if (market.policy === 'refill') refill(market)
      tick(rig.state)
    },
  ],
  book: [
    z.strictObject({
      coin: z.string(),
      bids: levels.optional(),
      asks: levels.optional(),
      policy: z.enum(['refill', 'taken']).optional(),
      /** The mark follows the book, as that of a thin market does whose deployer states none. */
      local_mark: z.boolean().optional(),
      ladder: z
        .strictObject({ spread: amount, step: amount, size: price, levels: z.int().min(0).max(1_000) })
        .partial()
        .optional(),
    }),
    (rig: Rig, given: BookCommand) => setBook(rig.state, given),
  ],
  funding: [
    z.strictObject({ coin: z.string(), rate: z.string().regex(/^-?\d+(\.\d+)?$/) }),
    (rig: Rig, given: { coin: string; rate: string }) =>
      void Object.assign(marketOf(rig.state, given.coin).market, { funding: given.rate, pinned: true }),
  ],
  /** Lets a market follow the source of prices again, if the rig has one. */
  follow: [
    z.strictObject({ coin: z.string() }),
    (rig: Rig, given: { coin: string }) => void delete marketOf(rig.state, given.coin).market.pinned,
  ],
  /** Lists a dex of a deployer; `market` gives it markets. */
  dex: [
    z.strictObject({ name: z.string().regex(/^[a-z0-9]{1,20}$/), full_name: z.string().max(40).default('') }),
    (rig: Rig, given: { name: string; full_name: string }) => {
      if (dexNamed(rig.state, given.name) !== null) throw new Error(`dex ${given.name} is listed`)
      rig.state.dexes.push(dexFrom(given.name, given.full_name))
    },
  ],
  /** Trades for an account at the book, as its owner would. */
  trade: [
    z.strictObject({ address, coin: z.string(), side: z.enum(['buy', 'sell']), size: price }),
    (rig: Rig, given: TradeCommand) => trade(rig.state, given),
  ],
  /** Places an order that rests for an account, as its owner would; answers with its number. */
  rest: [
    z.strictObject({
      address,
      coin: z.string(),
      side: z.enum(['buy', 'sell']),
      price,
      size: price,
      reduce_only: z.boolean().default(false),
      /** With a trigger the price is the worst one from then on. */
      trigger: z.strictObject({ price, kind: z.enum(['tp', 'sl']), is_market: z.boolean().default(true) }).optional(),
    }),
    (rig: Rig, given: RestCommand) => rest(rig.state, given),
  ],
  /** An execution in spot, such as of `@107` with a fee in HYPE. */
  'spot-fill': [
    z.strictObject({
      address,
      coin: z.string(),
      side: z.enum(['B', 'A']),
      px: price,
      sz: price,
      fee: amount,
      fee_token: z.string(),
    }),
    (rig: Rig, { fee_token: feeToken, ...given }: Omit<SpotFill, 'feeToken'> & { fee_token: string }) =>
      spotFill(rig.state, { ...given, feeToken }),
  ],
  /** Lets the size of listed orders stay what it was when they were placed, executed or not. */
  'stale-sz': [
    z.strictObject({ on: z.boolean() }),
    (rig: Rig, given: { on: boolean }) => void (rig.state.staleSizes = given.on),
  ],
  /** Lists executions so long after they happened. */
  'late-fills': [
    z.strictObject({ ms: z.int().min(0).max(3_600_000) }),
    (rig: Rig, given: { ms: number }) => void (rig.state.fillsLateMs = given.ms),
  ],
  /** Gives a market another margin table, or restricts it to isolated margin. */
  margin: [
    z.strictObject({
      coin: z.string(),
      tiers: z
        .array(z.strictObject({ lowerBound: amount, maxLeverage: z.int().min(1).max(50) }))
        .min(1)
        .max(10)
        .optional(),
      mode: z.enum(['strictIsolated', 'noCross']).nullable().optional(),
    }),
    (rig: Rig, given: MarginCommand) => setMargin(rig.state, given),
  ],
  market: [
    z.strictObject({
      dex: z.string(),
      name: z.string().regex(/^[A-Z0-9]{1,20}$/),
      sizeDecimals: z.int().min(0).max(5),
      maxLeverage: z.int().min(1).max(50),
      price,
      size: price,
      volume: amount,
    }),
    (rig: Rig, given: { dex: string } & Parameters<typeof marketFrom>[0]) => {
      const dex = dexNamed(rig.state, given.dex)
      if (dex === null) throw new Error(`no dex ${given.dex}`)
      dex.markets.push(marketFrom(given))
    },
  ],
  delist: [
    z.strictObject({ coin: z.string(), delisted: z.boolean() }),
    (rig: Rig, given: { coin: string; delisted: boolean }) =>
      void (marketOf(rig.state, given.coin).market.delisted = given.delisted),
  ],
  time: [
    z.strictObject({ now_ms: z.int().optional(), advance_ms: z.int().min(0).optional(), skew_ms: z.int().optional() }),
    (
      rig: Rig,
      given: { now_ms?: number | undefined; advance_ms?: number | undefined; skew_ms?: number | undefined },
    ) => {
      const { state } = rig
      if (given.skew_ms !== undefined) state.skewMs = given.skew_ms
      if (given.now_ms !== undefined || given.advance_ms !== undefined) {
        const base = given.now_ms ?? now(state)
        state.realClock = false
        state.nowMs = base + (given.advance_ms ?? 0)
      }
      tick(state)
    },
  ],
  fault: [faultSchema, (rig: Rig, fault: z.output<typeof faultSchema>) => rig.faults.add(fault)],
  'clear-faults': [z.strictObject({}), (rig: Rig) => rig.faults.clear()],
  /** Forgets an agent or the nonces of a signer, as the venue may do with old ones. */
  prune: [
    z.strictObject({ agent: address.optional(), nonces: address.optional() }),
    (rig: Rig, given: { agent?: string | undefined; nonces?: string | undefined }) => {
      if (given.agent !== undefined) delete rig.state.agents[given.agent]
      if (given.nonces !== undefined) delete rig.state.nonces[given.nonces]
    },
  ],
  counts: [z.strictObject({}), (rig: Rig) => ({ ...rig.counts, weight: rig.budget.used })],
  /** Limits the weight of requests a minute, as the venue does by address; null ends the limit. */
  budget: [
    z.strictObject({ weight: z.int().min(1).nullable() }),
    (rig: Rig, given: { weight: number | null }) => void (rig.budget.limit = given.weight),
  ],
} as const satisfies Record<string, readonly [z.ZodType, (rig: Rig, given: never) => unknown]>

export type Command = keyof typeof COMMANDS

/** What a network of the rig consists of. */
export interface Rig {
  state: State
  readonly faults: FaultBoard
  /** Requests so far, by endpoint and type. */
  readonly counts: Record<string, number>
  readonly budget: WeightBudget
  restore(state: State): void
}

/** Runs a command; throws `ZodError` or `Error` for one that is not understood. */
export function control(rig: Rig, name: string, body: unknown): unknown {
  const command = COMMANDS[name as Command] as readonly [z.ZodType, (rig: Rig, given: unknown) => unknown] | undefined
  if (command === undefined) throw new Error(`no command ${name}: ${Object.keys(COMMANDS).join(', ')}`)
  return command[1](rig, command[0].parse(body ?? {})) ?? { ok: true }
}

type RoleCommand = { address: string; role: 'vault' | 'subAccount'; master?: string | undefined }
