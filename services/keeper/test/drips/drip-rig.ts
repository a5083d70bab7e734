import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { ok, type Caller, type Environment } from '@svc/contract'
import { keeper } from '@svc/contracts/keeper'
import type { GasDrip } from '@svc/contracts/keeper/drips'
import type { Standing } from '@svc/contracts/mandates/overview'
import { sql } from '@svc/postgres'
import { clientOf, openLog, Outage, type Bus, type Log, type RunningService } from '@svc/service'
import { getAddress, parseEther, toHex, type Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { z } from 'zod'
import { start } from '#main.ts'
import { chainRig, startRig, wallets, type ChainRig, type Rig } from '../rig.ts'

export const funder = mnemonicToAccount('test test test test test test test test test test test junk', {
  addressIndex: 6,
})
export const FUNDER_KEY = toHex(funder.getHdKey().privateKey ?? new Uint8Array())
export const BOT_TOKEN = `654321:${'opsopsopsops'.repeat(3)}`
export const DRIP = parseEther('0.002')
/** The answer 503, and no other failure. */
export const AWAY = /^temporarily_unavailable: /

/** A chat of operators: the Bot API on this machine. */
export interface Chat {
  readonly url: string
  readonly messages: { readonly chat_id: string; readonly text: string }[]
  /** Statuses that it returns in turn; then 200. */
  readonly answers: number[]
  stop(): Promise<void>
}

async function openChat(): Promise<Chat> {
  const chat: Pick<Chat, 'messages' | 'answers'> = { messages: [], answers: [] }
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const status = request.url === `/bot${BOT_TOKEN}/sendMessage` ? (chat.answers.shift() ?? 200) : 404
      if (status === 200) chat.messages.push(body as Chat['messages'][number])
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    ...chat,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An account that calls, with the wallet that its credential stands for. */
export interface Account {
  readonly id: number
  readonly wallet: Address
}

export interface DripRig {
  readonly chain: ChainRig
  readonly rig: Rig
  readonly bus: Bus
  readonly chat: Chat
  /** What mandates says of accounts; any other has none. */
  readonly standings: Map<number, Standing>
  mandatesIsAway: boolean
  /** Settings of the service under test. */
  environment(more?: Environment): Environment
  /** Stops the service: no pass of its workers is on the way any more. */
  halt(): Promise<void>
  /** Starts the service, and stops the one before. */
  serve(more?: Environment, log?: Log): Promise<RunningService>
  /** Returns a new account with an empty wallet. */
  account(standing?: Standing): Account
  /** Calls for a drip, and without `withinMs` again with the same key until a drip that was decided is signed. */
  drip(account: Account, options?: { key?: string; withinMs?: number; dryRun?: boolean }): Promise<GasDrip>
  /** Lets the pause between two calls pass. */
  pass(ms?: number): void
  balanceOf(address: Address): Promise<bigint>
  setBalance(address: Address, wei: bigint): Promise<void>
  transactions(): Promise<readonly { nonce: number | null; outcome: string | null; vault: string; kind: string }[]>
  grants(): Promise<readonly { address: string; n: number; standing: string; day: string }[]>
  stop(): Promise<void>
}

export async function startDripRig(): Promise<DripRig> {
  const [chain, chat] = await Promise.all([chainRig(), openChat()])
  const standings = new Map<number, Standing>()
  const readStanding = async ({ account_id }: { account_id: number }) => {
    if (made.mandatesIsAway) throw new Outage('test', 'mandates is away')
    return ok(200, { standing: standings.get(account_id) ?? 'none' })
  }
  const rig = await startRig(chain, { answers: { mandates: { readStanding } } })
  const bus = await rig.stack.nats.connect('gateway')
  const client = clientOf(bus, 'gateway', keeper)
  let serving: RunningService | null = null
  let accounts = 0
  const environment: DripRig['environment'] = (more = {}) => ({
    ...rig.stack.environmentOf('keeper'),
    ...rig.environment,
    HUB_KEEPER_MARK_SEC: '86400',
    SVC_KEEPER_SEND_SEC: '1',
    HUB_GAS_DRIP_ENABLED: '1',
    SVC_GAS_DRIP_DEV_KEY: FUNDER_KEY,
    HUB_ALERTS_TELEGRAM_URL: chat.url,
    SVC_OPS_CHAT_ID: '-100777',
    SVC_OPS_BOT_TOKEN: BOT_TOKEN,
    ...more,
  })
  /** Whether a drip was decided: on a busy machine it is signed later than a call waits. */
  const isDecided = (wallet: Address) =>
    rig.pool.exists(
      sql.unsafe`SELECT 1 FROM transaction WHERE vault = ${wallet} AND coalesce(outcome, 'done') = 'done'`,
    )
  const row = z.object({
    nonce: z.number().nullable(),
    outcome: z.string().nullable(),
    vault: z.string(),
    kind: z.string(),
  })
  const grantRow = z.object({ address: z.string(), n: z.number(), standing: z.string(), day: z.string() })
  const made: DripRig = {
    chain,
    rig,
    bus,
    chat,
    standings,
    mandatesIsAway: false,
    environment,
    halt: async () => {
      await serving?.stop()
      serving = null
    },
    serve: async (more = {}, log = openLog('keeper', 'silent')) => {
      await made.halt()
      return (serving = await start(environment(more), { clock: rig.clock, log }))
    },
    account: (standing = 'signed') => {
      const id = ++accounts
      standings.set(id, standing)
      return { id, wallet: getAddress(`0x${id.toString(16).padStart(40, 'd')}`) }
    },
    drip: async ({ id, wallet }, { key = randomUUID(), withinMs, dryRun = false } = {}) => {
      for (;;)
        try {
          return await client.dripGas(dryRun ? { dry_run: true } : {}, {
            caller: callerOf(id, wallet),
            deadline: Date.now() + (withinMs ?? 20_000),
            idempotencyKey: key,
          })
        } catch (error) {
          if (withinMs !== undefined || !(await isDecided(wallet))) throw error
        }
    },
    pass: (ms = 10_000) => rig.clock.advance(ms),
    balanceOf: (address) => chain.chain.client.getBalance({ address }),
    setBalance: async (address, wei) => {
      await chain.anvil.request('anvil_setBalance', [address, toHex(wei)])
    },
    transactions: () => rig.pool.any(sql.type(row)`SELECT nonce, outcome, vault, kind FROM transaction ORDER BY id`),
    grants: () => rig.pool.any(sql.type(grantRow)`SELECT address, n, standing, day FROM gas_grant ORDER BY id`),
    stop: async () => {
      await serving?.stop()
      await bus.close()
      await rig.stop()
      await chat.stop()
      await chain.stop()
    },
  }
  return made
}

const callerOf = (account_id: number, wallet: Address): Caller => ({
  account_id,
  kind: 'agent',
  wallet,
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
})

/** An RPC that says it serves another chain, and answers nothing else. */
export async function rpcOfChain(id: number): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    void json(request).then((call) => {
      const { id: callId, method } = call as { id: number; method: string }
      const answer = method === 'eth_chainId' ? { result: toHex(id) } : { error: { code: -32_601, message: 'unknown' } }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: callId, ...answer }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export { wallets }
