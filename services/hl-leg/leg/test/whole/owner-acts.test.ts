import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import { sql } from '@svc/postgres'
import { RemoteRefusal, Outage } from '@svc/service'
import { opened } from '@svc/testing'
import { USDC_TOKEN } from '@svc/venue-rig'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readLeg } from '#legs/store/legs.ts'
import { owedBy } from '#money/rules/fallback.ts'
import type { Transfer } from '#money/store/transfers.ts'
import { lastExplained } from '#money/store/explanations.ts'
import { atVenue, requireMark } from '../money/transfer-books.ts'
import { stranger, TransferScript } from '../money/transfer-script.ts'
import { ownerWallet } from '../rig.ts'
import { startWholeRig } from './whole-rig.ts'
import { WholeScript } from './whole-script.ts'

const rig = opened(() => startWholeRig())

const LONG = process.env['TEST_LONG'] === '1'
const SCRIPTS = Number(process.env['TEST_SCRIPTS'] ?? (LONG ? 2_000 : 30))

/**
 * What an owner may do with the account while leg money is in it. Each is a call that the owner's wallet signs, as the venue's
 * app does, except `payIn`: a deposit of the bridge is an act on its chain.
 */
const ACTS = [
  'unify',
  'portfolio',
  'standard',
  'toSpot',
  'toPerp',
  'spotOut',
  'toDex',
  'fromDex',
  'takeOut',
  'withdraw',
  'payIn',
  'byHand',
  'byHandOnDex',
  'cross',
  'isolated',
  'addMargin',
  'resting',
  'trigger',
  'revoke',
  'approveAnew',
  'thinMark',
] as const
type Act = (typeof ACTS)[number]
/** What the house and the chain do meanwhile. */
const HOUSE = ['read', 'explain', 'survey', 'end', 'returnCall', 'credit', 'tooLate'] as const
const step = fc.constantFrom(...ACTS, ...HOUSE, ...HOUSE)
type Step = Act | (typeof HOUSE)[number]

/** Each act once where the venue accepts it, in an order in which none ends the script. */
const EVERY_ACT: readonly Step[] = [
  ...(['toDex', 'byHandOnDex', 'thinMark', 'byHandOnDex', 'fromDex', 'resting', 'trigger'] as const),
  ...(['byHand', 'isolated', 'byHand', 'addMargin', 'byHand', 'cross', 'read', 'explain'] as const),
  ...(['payIn', 'toSpot', 'spotOut', 'toPerp', 'takeOut', 'withdraw', 'read', 'explain', 'end'] as const),
  ...(['unify', 'read', 'end', 'portfolio', 'standard', 'survey', 'revoke', 'survey', 'approveAnew'] as const),
  ...(['returnCall', 'credit', 'end'] as const),
]

/** Acts that the venue, or the product for a key, has accepted in any script. */
const accepted = new Set<Step>()

/** Resolves to null if a call is refused or meets an outage. */
async function tried<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RemoteRefusal || error instanceof Outage) return null
    throw error
  }
}

const venueAnswer = z.object({
  status: z.literal('ok'),
  response: z.object({ data: z.object({ statuses: z.array(z.unknown()) }).optional() }),
})
/** Whether the venue took an action, with each order in it. */
function isAccepted(answer: unknown): boolean {
  const read = venueAnswer.safeParse(answer)
  const statuses = read.data?.response.data?.statuses ?? []
  return read.success && !statuses.some((one) => typeof one === 'object' && one !== null && 'error' in one)
}

/** An owner whose leg got 60 USDC beside 40 of their own, and whose mandate was stopped. */
class OwnerActs {
  readonly #script: WholeScript
  readonly money: TransferScript
  readonly #owner: number
  /** How often each row was credited or given up for credit. */
  readonly #ends = new Map<string, string[]>()

  constructor(script: WholeScript, money: TransferScript, owner: number) {
    this.#script = script
    this.money = money
    this.#owner = owner
  }

  get #address() {
    return ownerWallet(this.#owner).address.toLowerCase()
  }

  /** Signs an action with the owner's wallet and posts it to the venue. */
  #sign(type: string, fields: object): Promise<unknown> {
    return rig.rig.app(ownerWallet(this.#owner), { type, ...fields }).catch(() => null)
  }

  #move(sourceDex: string, destinationDex: string, amount: string): Promise<unknown> {
    const given = { sourceDex, destinationDex, token: USDC_TOKEN, amount, fromSubAccount: '' }
    return this.#sign('sendAsset', { destination: this.#address, ...given })
  }

  #mode(abstraction: string): Promise<unknown> {
    return this.#sign('userSetAbstraction', { user: this.#address, abstraction })
  }

  /** An order of BTC below the market by the owner's own app; `t` says how it waits. */
  #place(buys: boolean, price: string, t: object): Promise<unknown> {
    const order = { a: 0, b: buys, p: price, s: '0.0003', r: !buys, t }
    return this.#sign('order', { orders: [order], grouping: 'na' })
  }

  #trade(coin: 'BTC' | 'xyz:TSLA', size: string): Promise<unknown> {
    return this.#script.tradeByHand(coin, this.#script.position(coin) > 0 ? 'sell' : 'buy', size)
  }

  /** Trades through a thin book whose mark follows it, and leaves it the time to. */
  async #liftMark(): Promise<unknown> {
    const { venue } = rig.rig
    const levels = (prices: readonly string[]) => prices.map((px, at) => ({ px, sz: at === 0 ? '0.05' : '50' }))
    const thin = { policy: 'taken', bids: levels(['325', '300']), asks: levels(['326', '350']), local_mark: true }
    venue.control('book', { coin: 'xyz:TSLA', ...thin })
    const answer = await this.#trade('xyz:TSLA', '0.1')
    rig.rig.advance(30_000)
    return answer
  }

  /** Does one thing; returns whether it was accepted. */
  async #act(one: Act): Promise<boolean> {
    const { venue } = rig.rig
    switch (one) {
      case 'unify':
        return isAccepted(await this.#mode('unifiedAccount'))
      case 'portfolio':
        return isAccepted(await this.#mode('portfolioMargin'))
      case 'standard':
        return isAccepted(await this.#mode('disabled'))
      case 'toSpot':
      case 'toPerp':
        return isAccepted(await this.#sign('usdClassTransfer', { amount: '30', toPerp: one === 'toPerp' }))
      case 'spotOut':
        return isAccepted(await this.#sign('spotSend', { destination: stranger, token: USDC_TOKEN, amount: '10' }))
      case 'toDex':
        return isAccepted(await this.#move('', 'xyz', '15'))
      case 'fromDex':
        return isAccepted(await this.#move('xyz', '', '5'))
      case 'takeOut':
        return isAccepted(await this.#sign('usdSend', { destination: stranger, amount: '45' }))
      case 'withdraw':
        return isAccepted(await this.#sign('withdraw3', { destination: this.#address, amount: '12' }))
      case 'payIn':
        venue.control('fund', { address: this.#address, amount: '30' })
        return true
      case 'byHand':
        return isAccepted(await this.#trade('BTC', '0.0005'))
      case 'byHandOnDex':
        return isAccepted(await this.#trade('xyz:TSLA', '0.1'))
      case 'cross':
      case 'isolated':
        return isAccepted(await this.#sign('updateLeverage', { asset: 0, isCross: one === 'cross', leverage: 3 }))
      case 'addMargin':
        return isAccepted(await this.#sign('updateIsolatedMargin', { asset: 0, isBuy: true, ntli: 2_000_000 }))
      case 'resting':
        return isAccepted(await this.#place(true, '50000', { limit: { tif: 'Gtc' } }))
      case 'trigger':
        return isAccepted(
          await this.#place(false, '40000', { trigger: { isMarket: true, triggerPx: '45000', tpsl: 'sl' } }),
        )
      case 'revoke':
        return isAccepted(await this.#script.deed('revoke'))
      case 'approveAnew':
        return (await this.#script.deed('approveAnew')) !== null
      case 'thinMark':
        return isAccepted(await this.#liftMark())
    }
  }

  async play(one: Step): Promise<void> {
    const { rig: venueRig } = rig
    switch (one) {
      case 'read':
        return void (await venueRig.run('readLegs'))
      case 'explain':
        venueRig.advance(301_000)
        return void (await venueRig.run('explainLegs'))
      case 'survey':
        venueRig.advance(31 * 60_000)
        return void (await venueRig.run('watchApprovals'))
      case 'end':
      case 'returnCall':
      case 'credit':
      case 'tooLate':
        return void (await this.#house(one))
      default:
        if (await this.#act(one)) accepted.add(one)
    }
  }

  async #house(one: 'end' | 'returnCall' | 'credit' | 'tooLate'): Promise<unknown> {
    if (one === 'end') return this.#end()
    if (one === 'returnCall') {
      const life = { process: 0, lives: null } as const
      return this.money.giveBack(life, { twice: false, drains: false, signs: true })
    }
    const row = (await this.money.rows()).find(({ kind, venue }) => kind === 'return' && venue === 'landed')
    return row === undefined ? null : this.#tell(row, one === 'credit' ? 'chain_seen' : 'chain_ended')
  }

  /** The chain credits a payment, or gives it up. */
  async #tell({ transfer_id: id }: Transfer, event: 'chain_seen' | 'chain_ended'): Promise<void> {
    const told = await tried(rig.tell({ transfer_id: id } as LegTransfer, event))
    if (told !== null) this.#ends.set(id, [...(this.#ends.get(id) ?? []), told.state])
  }

  /** keeper tries to end the leg with nothing, which only a leg that owes nothing allows. */
  async #end(): Promise<void> {
    const owed = this.owed()
    const ended = await tried(rig.open(this.money.mandate, '0', { kind: 'closing' }))
    if (ended === null) return
    expect(owed, 'owed by a leg that ended before the fallback').toBeLessThan(0.02)
    const explained = await lastExplained(rig.rig.pool, this.money.publicId)
    const last = explained.reduce((newest, one) => (one.read_at > newest.read_at ? one : newest))
    expect(owedBy(last), 'owed by the explained reading that ended it').toBeLessThan(10_000n)
  }

  /** What the leg owes by the venue's own rows: funded, less what came back, and what trading made of it. */
  owed(): number {
    const { fills, funding, dexes, ledger } = atVenue(rig, this.money)
    const isRead = (coin: string) => !/[@/#+]/.test(coin)
    const won = fills
      .filter(({ coin }) => isRead(coin))
      .reduce((sum, { closedPnl, fee }) => sum + Number(closedPnl) - Number(fee), 0)
    const paid = funding.reduce((sum, { delta }) => sum + Number(delta['usdc']), 0)
    const pool = rig.rig.context.settings.poolAddress?.toLowerCase()
    const moved = ledger.reduce((sum, { delta }) => {
      if (delta['type'] !== 'internalTransfer') return sum
      if (delta['user'] === pool) return sum + Number(delta['usdc'])
      return delta['destination'] === pool ? sum - Number(delta['usdc']) : sum
    }, 0)
    const marks = new Map(
      rig.rig.venue.state.dexes.flatMap(({ name, markets }) =>
        markets.map((market) => [name === '' ? market.name : `${name}:${market.name}`, Number(market.mark)] as const),
      ),
    )
    const open = Object.values(dexes).flatMap(({ positions }) => Object.entries(positions))
    const unrealised = open.reduce(
      (sum, [coin, { size, entry }]) => sum + Number(size) * ((marks.get(coin) ?? 0) - Number(entry)),
      0,
    )
    return moved + won + paid + unrealised
  }

  /** The owner lets the time pass: the vault gets at most what it has out, and nothing is invented. */
  async fallback(): Promise<void> {
    for (const row of await this.money.rows()) if (isLanded(row)) await this.#tell(row, 'chain_seen')
    const rows = await this.money.rows()
    if (rows.some(({ open, kind, venue }) => open && !(kind === 'return' && venue === 'none'))) return
    if (rows.some(({ last, state }) => last && state === 'confirmed')) return
    const out =
      60 - rows.reduce((sum, { kind, state, amount }) => (isBack(kind, state) ? sum + Number(amount) / 1e6 : sum), 0)
    const end = (more: object) => rig.open(this.money.mandate, out.toFixed(6), { kind: 'fallback', ...more })
    // What was never explained ends by the last mark that was sent.
    const ended = (await tried(end({}))) ?? (await tried(end({ marked_usdc: String(MARKED) })))
    if (ended === null) return
    expect(Number(ended.amount_usdc)).toBeLessThanOrEqual(Math.max(0, out) + 1e-6)
    const explained = await lastExplained(rig.rig.pool, this.money.publicId)
    const shown = explained.map((one) => Math.min(Number(owedBy(one)), Number(one.value)) / 1e6)
    const most = explained.length === 0 ? MARKED : Math.max(...shown)
    expect(Number(ended.amount_usdc), 'what readings show').toBeLessThanOrEqual(most + 1e-6)
    const [leg] = (await rig.keeper.readLegWorths({ public_ids: [this.money.publicId] })).legs
    const { fee_owed_usdc } = await rig.as(this.#owner).readLegMoney({ public_id: this.money.publicId })
    const owed = Number(ended.amount_usdc) + Number(fee_owed_usdc)
    expect(Number(leg?.leg_debt_usdc), 'the owner owes what the vault got, and the fee').toBeCloseTo(owed, 6)
  }

  /** The chain shows the end of the leg. */
  async confirmEnd(): Promise<void> {
    const rows = (await this.money.rows()).filter(({ open, last, kind }) => open && last && kind !== 'return')
    for (const { transfer_id } of rows)
      for (const event of ['chain_sent', 'chain_seen'] as const) await rig.tell({ transfer_id } as LegTransfer, event)
  }

  /** Of each row only one end was ever told: credited, or given up for credit. */
  requireOneEnd(): void {
    for (const ends of this.#ends.values()) expect(new Set(ends).size, 'ends of one payment').toBe(1)
  }
}

const isLanded = ({ open, kind, venue }: Transfer) => open && kind === 'return' && venue === 'landed'
const isBack = (kind: string, state: string) => kind === 'return' && state === 'confirmed'

/** Leg money in the last mark that keeper sent, USDC. */
const MARKED = 30

let owners = 500
/** States of legs at the ends of scripts. */
const reached = new Set<string>()

async function playScript(steps: readonly Step[]): Promise<void> {
  owners += 1
  const { mandate, leg } = await rig.newLeg(owners)
  const money = new TransferScript(rig, rig.second, mandate)
  const script = new WholeScript(rig, leg, money)
  script.calm()
  rig.rig.advance(1_000)
  await rig.fund(mandate, '60')
  await script.tradeByHand('BTC', 'buy', '0.0005')
  rig.rig.advance(31_000)
  await rig.rig.run('readLegs')
  rig.stop(mandate)
  const acts = new OwnerActs(script, money, owners)
  for (const one of steps) {
    rig.rig.advance(1_000)
    await acts.play(one)
    if (one === 'returnCall') {
      // The clock stood still between the reading of the call and the transfer.
      rig.rig.advance(31_000)
      await rig.rig.run('readLegs')
    }
    await requireMark(rig, money)
  }
  rig.rig.advance(31_000)
  await acts.fallback()
  acts.requireOneEnd()
  reached.add(`leg ${(await readLeg(rig.rig.pool, leg.publicId))?.state}`)
  // What has ended is not read and explained in later scripts.
  await acts.confirmEnd()
  await script.deed('standard')
  await tried(script.release())
}

test('whatever an owner does with the account, no leg that owes money ends before the fallback, the vault gets no more than it has out, moved money is no result of trading, and no payment is both credited and refunded', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: LONG ? 16 : 8 }), playScript), {
    numRuns: SCRIPTS,
    seed: Number(process.env['TEST_SEED'] ?? 23),
    endOnFailure: true,
    // Each act at least once, and what looked like the end of a leg.
    examples: [
      [[...EVERY_ACT]],
      [['toSpot', 'read', 'explain', 'end', 'returnCall', 'toPerp', 'returnCall', 'credit', 'end', 'tooLate']],
      [['unify', 'read', 'end', 'standard', 'survey', 'returnCall', 'tooLate', 'credit', 'end']],
      [['toSpot', 'revoke', 'survey', 'end', 'returnCall']],
      // The ledger alone is read between a payment and the one that brings the cash back.
      [['read', 'toSpot', 'survey', 'toPerp', 'read', 'explain', 'returnCall']],
    ],
  })
  expect([...accepted].toSorted(), 'each act is accepted at least once').toEqual(ACTS.toSorted())
  const ends = await rig.rig.pool.anyFirst(sql.type(z.object({ end: z.string() }))`
      SELECT DISTINCT kind || ' ' || state AS end FROM transfer`)
  expect([...ends, ...reached], 'the scripts reach these ends').toEqual(
    expect.arrayContaining([
      'return confirmed',
      'return cancelled',
      'closing confirmed',
      'fallback confirmed',
      'leg unsupported',
      'leg revoked',
    ]),
  )
})
