import { usdSend, type UserSignedAction } from '@svc/hyperliquid'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import { sql } from '@svc/postgres'
import { RemoteRefusal, Outage } from '@svc/service'
import { opened } from '@svc/testing'
import { USDC_TOKEN } from '@svc/venue-rig'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { atVenue, requireMark } from '../money/transfer-books.ts'
import { stranger, TransferScript } from '../money/transfer-script.ts'
import { ownerWallet } from '../rig.ts'
import { startWholeRig } from './whole-rig.ts'
import { WholeScript } from './whole-script.ts'

const rig = opened(() => startWholeRig())

const LONG = process.env['TEST_LONG'] === '1'
const SCRIPTS = LONG ? 2_000 : 30

/** What an owner may do with the account while leg money is in it. */
const ACTS = [
  'unify',
  'portfolio',
  'standard',
  'toSpot',
  'toPerp',
  'toDex',
  'fromDex',
  'takeOut',
  'payIn',
  'byHand',
  'byHandOnDex',
  'leverage',
  'isolated',
  'resting',
  'revoke',
  'approveAnew',
  'thinMark',
] as const
/** What the house and the chain do meanwhile. */
const HOUSE = ['read', 'explain', 'survey', 'end', 'returnCall', 'credit', 'tooLate'] as const
const step = fc.constantFrom(...ACTS, ...HOUSE, ...HOUSE)
type Step = (typeof ACTS)[number] | (typeof HOUSE)[number]

/** Resolves to null if a call is refused or meets an outage. */
async function tried<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RemoteRefusal || error instanceof Outage) return null
    throw error
  }
}

const action = (type: UserSignedAction['type'], fields: object): UserSignedAction => ({
  type,
  signatureChainId: '0x7a69',
  hyperliquidChain: 'Testnet',
  ...fields,
})

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

  get #wallet() {
    return ownerWallet(this.#owner)
  }

  get #dex() {
    return atVenue(rig, this.money).dexes
  }

  #sign(type: UserSignedAction['type'], fields: object): Promise<unknown> {
    return rig.rig.act(this.#wallet, action(type, fields)).catch(() => null)
  }

  #move(sourceDex: string, destinationDex: string): Promise<unknown> {
    const { nonce } = rig.rig.scope()
    const destination = this.#wallet.address.toLowerCase()
    const given = { destination, token: USDC_TOKEN, fromSubAccount: '', amount: '15', nonce }
    return this.#sign('sendAsset', { ...given, sourceDex, destinationDex })
  }

  async play(one: Step): Promise<unknown> {
    const { rig: venueRig } = rig
    const { nonce } = venueRig.scope()
    const mode = (name: string) => venueRig.venue.control('mode', { address: this.#wallet.address, mode: name })
    const jobs = venueRig
    switch (one) {
      case 'unify':
        return mode('unifiedAccount')
      case 'portfolio':
        return mode('portfolioMargin')
      case 'standard':
        return mode('default')
      case 'toSpot':
        return this.#sign('usdClassTransfer', { amount: '55', toPerp: false, nonce })
      case 'toPerp':
        return this.#sign('usdClassTransfer', { amount: '55', toPerp: true, nonce })
      case 'toDex':
        return this.#move('', 'xyz')
      case 'fromDex':
        return this.#move('xyz', '')
      case 'takeOut':
        return venueRig
          .act(this.#wallet, usdSend(venueRig.scope(), { destination: stranger, amountUsdc: '45' }))
          .catch(() => null)
      case 'payIn':
        return venueRig.venue.control('fund', { address: this.#wallet.address, amount: '30' })
      case 'byHand':
        return this.#script.tradeByHand('BTC', this.#script.position('BTC') > 0 ? 'sell' : 'buy', '0.0005')
      case 'byHandOnDex':
        return this.#script.tradeByHand('xyz:TSLA', this.#script.position('xyz:TSLA') > 0 ? 'sell' : 'buy', '0.1')
      case 'leverage':
      case 'isolated': {
        const main = this.#dex['']
        if (main === undefined || main.positions['BTC'] !== undefined) return null
        main.leverage['BTC'] = 3
        return (main.isolated = { ...main.isolated, BTC: one === 'isolated' })
      }
      case 'resting':
        return this.#rest()
      case 'revoke':
      case 'approveAnew':
        return this.#script.deed(one)
      case 'thinMark':
        return venueRig.venue.control('mark', { coin: 'xyz:TSLA', price: nonce % 2 === 0 ? '300' : '350' })
      case 'read':
        return jobs.run('readLegs')
      case 'explain':
        venueRig.advance(301_000)
        return jobs.run('explainLegs')
      case 'survey':
        venueRig.advance(31 * 60_000)
        return jobs.run('watchApprovals')
      default:
        return this.#house(one)
    }
  }

  /** An order by the owner's own app that rests in the book. */
  #rest(): unknown {
    const account = atVenue(rig, this.money)
    const known = account.orders.at(-1)
    if (known === undefined) return null
    const resting = { limitPx: '1000', size: '0.01', remaining: '0.01', tif: 'Gtc', status: 'open' }
    return account.orders.push({ ...known, oid: known.oid + 1_000_000, ...resting } as typeof known)
  }

  async #house(one: 'end' | 'returnCall' | 'credit' | 'tooLate'): Promise<unknown> {
    if (one === 'end') return this.#end()
    if (one === 'returnCall') {
      const life = { process: 0, lives: null } as const
      return this.money.giveBack(life, { twice: false, drains: false, signs: true })
    }
    const row = (await this.money.rows()).find(({ kind, venue }) => kind === 'return' && venue === 'landed')
    if (row === undefined) return null
    const event = one === 'credit' ? ('chain_seen' as const) : ('chain_ended' as const)
    const told = await tried(rig.tell({ transfer_id: row.transfer_id } as LegTransfer, event))
    if (told !== null) this.#ends.set(row.transfer_id, [...(this.#ends.get(row.transfer_id) ?? []), told.state])
    return told
  }

  /** keeper tries to end the leg with nothing, which only a leg that owes nothing allows. */
  async #end(): Promise<void> {
    const owed = this.owed()
    const ended = await tried(rig.open(this.money.mandate, '0', { kind: 'closing' }))
    if (ended !== null) expect(owed, 'owed by a leg that ended before the fallback').toBeLessThan(0.02)
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
    const rows = await this.money.rows()
    if (rows.some(({ open, kind, venue }) => open && !(kind === 'return' && venue === 'none'))) return
    if (rows.some(({ last, state }) => last && state === 'confirmed')) return
    const out =
      60 - rows.reduce((sum, { kind, state, amount }) => (isBack(kind, state) ? sum + Number(amount) / 1e6 : sum), 0)
    const ended = await tried(rig.open(this.money.mandate, out.toFixed(6), { kind: 'fallback' }))
    if (ended === null) return
    expect(Number(ended.amount_usdc)).toBeLessThanOrEqual(Math.max(0, out) + 1e-6)
    const [leg] = (await rig.keeper.readLegWorths({ public_ids: [this.money.publicId] })).legs
    const { fee_owed_usdc } = await rig.as(this.#owner).readLegMoney({ public_id: this.money.publicId })
    const owed = Number(ended.amount_usdc) + Number(fee_owed_usdc)
    expect(Number(leg?.leg_debt_usdc), 'the owner owes what the vault got, and the fee').toBeCloseTo(owed, 6)
  }

  /** Of each row only one end was ever told: credited, or given up for credit. */
  requireOneEnd(): void {
    for (const ends of this.#ends.values()) expect(new Set(ends).size, 'ends of one payment').toBe(1)
  }
}

const isBack = (kind: string, state: string) => kind === 'return' && state === 'confirmed'

let owners = 500

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
  acts.requireOneEnd()
  rig.rig.advance(31_000)
  await acts.fallback()
  // Later scripts read fewer accounts.
  await script.deed('standard')
}

test('whatever an owner does with the account, no leg that owes money ends before the fallback, the vault gets no more than it has out, moved money is no result of trading, and no payment is both credited and refunded', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: LONG ? 16 : 8 }), playScript), {
    numRuns: SCRIPTS,
    seed: 23,
    endOnFailure: true,
    // Each act at least once, and what looked like the end of a leg.
    examples: [
      [[...ACTS]],
      [['toSpot', 'read', 'explain', 'end', 'returnCall', 'toPerp', 'returnCall', 'credit', 'end', 'tooLate']],
      [['unify', 'read', 'end', 'standard', 'survey', 'returnCall', 'tooLate', 'credit', 'end']],
    ],
  })
  const ends = await rig.rig.pool.anyFirst(sql.type(z.object({ end: z.string() }))`
      SELECT DISTINCT kind || ' ' || state AS end FROM transfer UNION SELECT DISTINCT 'leg ' || state FROM leg`)
  expect(ends, 'the scripts reach these ends').toEqual(
    expect.arrayContaining([
      'return confirmed',
      'return cancelled',
      'closing planned',
      'fallback planned',
      'leg unsupported',
      'leg revoked',
    ]),
  )
})
