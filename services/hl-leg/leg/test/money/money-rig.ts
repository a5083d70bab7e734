import { randomBytes } from 'node:crypto'
import type { Environment } from '@svc/contract'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { signPoolSend } from '@svc/hyperliquid/signing'
import { sql } from '@svc/postgres'
import { z } from 'zod'
import { ownerWallet, signTypedData, startRig, walletOf, owner, type Rig } from '../rig.ts'

/** The house pool of the tests. */
export const pool = walletOf(7_777)
export const VAULT = '0x52908400098527886E0F7030069857D2E4169EE7'
export const CHAIN_ID = 31_337
export const hash = (n: number): `0x${string}` => `0x${n.toString(16).padStart(64, '0')}`
export const newTransferId = () => `ltr_${randomBytes(16).toString('hex')}`

export const environment: Environment = {
  HUB_LEG_FUNDING: 'test',
  HUB_HL_TEST_POOL_ADDRESS: pool.address,
}

const vault = {
  address: VAULT,
  chain_id: CHAIN_ID,
  version: 2 as const,
  accounted_usdc: '500',
  leg_out_usdc: '0',
  leg_open: false,
  vault_worth_usdc: null,
  worth_at: null,
}

/** hl-leg with funding, driven as keeper drives it. */
export interface MoneyRig {
  readonly rig: Rig
  readonly keeper: ReturnType<Rig['from']>
  /** The vault of every mandate. */
  readonly vault: typeof vault
  /** A mandate whose leg is bound; its account holds `foreign` USDC of the owner. */
  leg(ownerId: number, foreign?: string): Promise<LegMandate>
  /** Stops the mandate in the record. */
  stop(mandate: LegMandate): void
  open(
    mandate: LegMandate,
    amount: string,
    more?: Partial<{
      kind: 'fund' | 'closing' | 'fallback' | 'refund' | 'activation'
      vault: string | null
      chain_id: number | null
      marked_usdc: string | null
    }>,
  ): Promise<LegTransfer>
  tell(
    transfer: LegTransfer,
    event: 'chain_sent' | 'chain_seen' | 'chain_lost' | 'chain_failed' | 'chain_ended',
    reason?: string,
  ): Promise<LegTransfer>
  /** The bytes that keeper signs for a transfer. */
  bytes(transfer: LegTransfer): Promise<string>
  send(transfer: LegTransfer): Promise<LegTransfer>
  /** Opens, confirms, sends and delivers a funding. */
  fund(mandate: LegMandate, amount: string): Promise<LegTransfer>
  row(transfer: LegTransfer): Promise<LegTransfer>
  /** Reads the account at the venue, as the job does. */
  read(): Promise<void>
  /** Signs the return that was prepared with the owner's wallet. */
  sign(mandate: LegMandate, typedData: object): Promise<`0x${string}`>
  stored(transfer: LegTransfer): Promise<{ readonly body: string | null; readonly steps: readonly string[] }>
  /** Transfers between accounts in the venue's ledger of an owner. */
  ledger(ownerId: number): readonly Record<string, unknown>[]
  as(ownerId: number): ReturnType<Rig['as']>
  /** The owner moves USDC between perpetuals and spot at the venue; negative: out of the perpetuals. */
  moveFromSpot(ownerId: number, usdc: number): void
}

export async function startMoneyRig(): Promise<MoneyRig & { stop(mandate?: LegMandate): Promise<void> | void }> {
  const rig = await startRig({ environment })
  rig.venue.control('fund', { address: pool.address, amount: '100000' })
  await rig.run('readMarkets')
  const keeper = rig.from('keeper')
  const tell: MoneyRig['tell'] = async ({ transfer_id }, event, reason) =>
    (await keeper.advanceLegTransfer({ transfer_id, event, tx_hash: hash(1), reason: reason ?? null })).transfer
  const bytes: MoneyRig['bytes'] = ({ owner_address, amount_usdc, nonce }) =>
    signPoolSend(pool, {
      owner: owner_address as `0x${string}`,
      amountUsdc: amount_usdc,
      nonce: nonce ?? 0,
      signatureChainId: CHAIN_ID,
    })
  const send: MoneyRig['send'] = async (transfer) =>
    (await keeper.sendPoolTransfer({ transfer_id: transfer.transfer_id, body: await bytes(transfer) })).transfer
  const open: MoneyRig['open'] = async ({ public_id }, amount_usdc, more = {}) => {
    const given = {
      transfer_id: newTransferId(),
      public_id,
      kind: 'fund' as const,
      vault: VAULT,
      chain_id: CHAIN_ID,
      amount_usdc,
    }
    return (await keeper.openLegTransfer({ ...given, ...more })).transfer
  }
  const row: MoneyRig['row'] = async ({ transfer_id }) => {
    const since = '2020-01-01T00:00:00.000Z'
    const { transfers } = await keeper.listLegTransfers({ changed_since: since })
    const found = transfers.find((one) => one.transfer_id === transfer_id)
    if (found === undefined) throw new Error('no such transfer')
    return found
  }
  const step = z.object({ event: z.string(), state: z.string() })
  return {
    rig,
    keeper,
    vault,
    leg: async (ownerId, foreign = '1000') => {
      const mandate = rig.mandate(ownerId, { vault })
      await rig.bind(mandate, foreign)
      return mandate
    },
    stop: (mandate) => {
      if (mandate === undefined) return rig.stop()
      rig.mandates.known.set(mandate.public_id, { ...mandate, state: 'stopped', stop_cause: 'stopped_in_record' })
      return undefined
    },
    open,
    tell,
    bytes,
    send,
    fund: async (mandate, amount) => {
      const opened = await open(mandate, amount)
      await tell(opened, 'chain_sent')
      return send(await tell(opened, 'chain_seen'))
    },
    row,
    read: async () => {
      rig.advance(31_000)
      await rig.run('readLegs')
    },
    sign: ({ owner_id }, typedData) => signTypedData(ownerWallet(owner_id), typedData),
    stored: async ({ transfer_id }) => {
      const body = await rig.pool.oneFirst(sql.type(z.object({ body: z.string().nullable() }))`
        SELECT body FROM transfer WHERE transfer_id = ${transfer_id}`)
      const steps = await rig.pool.any(sql.type(step)`
        SELECT event, state FROM transfer_step WHERE transfer_id = ${transfer_id} ORDER BY number`)
      return { body, steps: steps.map(({ event, state }) => `${event}: ${state}`) }
    },
    ledger: (ownerId) => {
      const account = rig.venue.state.accounts[ownerWallet(ownerId).address.toLowerCase()]
      return (account?.ledger ?? []).map(({ delta }) => delta).filter(({ type }) => type === 'internalTransfer')
    },
    as: (ownerId) => rig.as(owner(ownerId)),
    moveFromSpot: (ownerId, usdc) => {
      const account = rig.venue.state.accounts[ownerWallet(ownerId).address.toLowerCase()]
      const main = account?.dexes['']
      if (account === undefined || main === undefined) throw new Error('no such account')
      main.raw = String(Number(main.raw) + usdc)
      const delta = { type: 'accountClassTransfer', usdc: String(Math.abs(usdc)), toPerp: usdc > 0 }
      account.ledger.push({ time: rig.clock.now().getTime(), hash: hash(rig.clock.now().getTime()), delta } as never)
    },
  }
}
