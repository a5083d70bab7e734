import { randomBytes } from 'node:crypto'
import type { SettingsOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { AlertChannel } from '@svc/contracts/mandates-alerts'
import type { actingSettings } from '@svc/contracts/mandates-acting-settings'
import { identity } from '@svc/contracts/identity'
import { subscriptions } from '@svc/contracts/subscriptions'
import { openRenderer } from '@svc/report-drawing/renderer'
import { clientOf, openFiles, type Bus, type Files } from '@svc/service'
import { encodeFunctionData, erc20Abi, getAddress, type Address, type Hex } from 'viem'
import type { AlertSender } from './channels/delivery.ts'
import { openMailer, type Mailer } from './channels/mailer.ts'
import { openTelegram } from './channels/telegram.ts'
import { alertMail } from './domain/mails.ts'
import { orNull, whereConfigured } from './or-null.ts'
import type { StatementInputs } from './pdf/statement-pdf.ts'

/** Signatures that are kept; a head that has one gets no other. */
const SIGNED_MAX = 10_000

/** What the chain says of a call that is not sent. */
export interface ChainDryRun {
  readonly ok: boolean
  readonly error: string | null
  readonly target_error: string | null
}

/** Agents whose last activity is kept; identity itself notes it at most every 30 seconds. */
const SEEN_MAX = 10_000
const SEEN_KEPT_MS = 10_000

/** When an agent last asked for something, and by which way. */
export interface Seen {
  readonly last_seen_at: string | null
  readonly channel: 'http' | 'mcp' | null
}

/** An agent account with the owner it is paired with. */
export interface AgentParty {
  readonly wallet: string
  readonly ownerId: number | null
}

/** What acting under a mandate needs besides the rest of the context. */
export interface ActingParts {
  readonly approvalTtlMs: number
  readonly approvalMaxOpen: number
  newApprovalId(): string
  /** Address of a mandate's page, for alerts. */
  linkTo(publicId: string): string
  /** Signature of the head of a record; null while it is empty or identity is away. */
  signHead(head: { readonly mandate: string; readonly seq: number; readonly hash: string }): Promise<string | null>
  /** Stores a file in place of an earlier one of its name. */
  storeFile(name: string, data: Uint8Array): ReturnType<Files['put']>
  /** The agent account; null when there is none. */
  readAgent(agentId: number): Promise<AgentParty | null>
  /** Those of the accounts that are agents, in the order asked. */
  knownAgents(agentIds: readonly number[]): Promise<readonly number[]>
  /** Tier of an account; null while it cannot be read. */
  tierOf(accountId: number): Promise<number | null>
  /** Last activity of an agent, at most ten seconds old; null where there is no such agent or identity is away. */
  lastSeen(agentId: number, now: Date): Promise<Seen | null>
  /** Asks to hear of a transaction; false while no chain is configured. */
  watchTransaction(txHash: string): Promise<boolean>
  /** Asks to hear of USDC that arrives at a wallet; false while no chain is configured, or the indexer is away. */
  watchDeposits(wallet: string): Promise<boolean>
  /** USDC of an address in base units; null while the chain cannot be read. */
  usdcOf(usdc: Address, owner: string): Promise<bigint | null>
  /** What sends alerts, by channel; null where none is configured. */
  readonly senders: Readonly<Record<AlertChannel, AlertSender | null>>
  /** Sends mails to owners; null while no server is configured. */
  readonly mailer: Mailer | null
  /** Alerts are counted and not sent. */
  readonly alertsDryRun: boolean
  /** Draws statements as a PDF. */
  drawStatement(inputs: StatementInputs): Promise<Uint8Array>
  close(): Promise<void>
  /** Runs a call without sending it; null while no chain is configured. */
  dryRun(call: { readonly to: string; readonly from: string; readonly data: Hex }): Promise<ChainDryRun | null>
}

export function actingParts(bus: Bus, settings: SettingsOf<typeof actingSettings>): ActingParts {
  const chain = clientOf(bus, 'mandates', chainIndexer)
  const accounts = clientOf(bus, 'mandates', identity)
  const ledger = clientOf(bus, 'mandates', subscriptions)
  const renderer = openRenderer<StatementInputs, Uint8Array>(
    new URL('./pdf/statement-pdf.ts', import.meta.url),
    'statementPdf',
    { what: 'statements', threadsMax: 1, waitingMax: 100 },
  )
  const mailer = openMailer(settings.alertsSmtpUrl, settings.alertsEmailFrom)
  const signed = new Map<string, string>()
  const seen = new Map<number, { readonly until: number; readonly answer: Promise<Seen | null> }>()
  let files: Promise<Files> | null = null
  const askSeen = async (agentId: number): Promise<Seen | null> => {
    const agent = (await accounts.readAgents({ agent_ids: [agentId] })).agents[0] ?? null
    return agent === null ? null : { last_seen_at: agent.last_seen_at, channel: agent.channel }
  }
  return {
    approvalTtlMs: settings.approvalTtlHours * 3_600_000,
    approvalMaxOpen: settings.approvalMaxOpen,
    alertsDryRun: settings.alertsDryRun,
    senders: {
      telegram: openTelegram(settings.alertsTelegramUrl, settings.alertsTelegramToken),
      email: mailer === null ? null : (address, alert) => mailer(address, alertMail(alert)),
    },
    mailer,
    newApprovalId: () => `apr_${randomBytes(16).toString('hex')}`,
    linkTo: (publicId) => `${settings.publicWebBase.replace(/\/$/, '')}/ui/mandates/${publicId}`,
    signHead: async (head) => {
      if (head.seq === 0) return null
      const known = signed.get(head.hash)
      if (known !== undefined) return known
      const answer = await orNull(accounts.signRecordHead(head))
      if (answer === null) return null
      if (signed.size >= SIGNED_MAX) signed.delete(signed.keys().next().value ?? '')
      signed.set(head.hash, answer.jws)
      return answer.jws
    },
    readAgent: async (agentId) => {
      const agent = (await accounts.readAgents({ agent_ids: [agentId] })).agents[0] ?? null
      return agent === null ? null : { wallet: agent.wallet, ownerId: agent.owner?.owner_id ?? null }
    },
    knownAgents: async (agentIds) => {
      const { agents } = await accounts.readAgents({ agent_ids: [...agentIds] })
      return agents.flatMap((agent) => agent?.agent_id ?? [])
    },
    tierOf: async (accountId) =>
      (await orNull(ledger.resolveTiers({ account_ids: [accountId] })))?.items[0]?.tier ?? null,
    lastSeen: (agentId, now) => {
      const known = seen.get(agentId)
      if (known !== undefined && now.getTime() < known.until) return known.answer
      seen.delete(agentId)
      if (seen.size >= SEEN_MAX) seen.delete(seen.keys().next().value ?? 0)
      const asked = askSeen(agentId)
      // What was not answered is asked again the next time.
      asked.catch(() => seen.delete(agentId))
      const answer = orNull(asked)
      seen.set(agentId, { until: now.getTime() + SEEN_KEPT_MS, answer })
      return answer
    },
    watchTransaction: async (tx_hash) => (await whereConfigured(chain.watchTransaction({ tx_hash }))) !== null,
    watchDeposits: async (address) =>
      (await orNull(whereConfigured(chain.watchAddress({ address, kind: 'agent_wallet' })))) !== null,
    usdcOf: async (usdc, owner) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [getAddress(owner)] })
      const answer = await orNull(whereConfigured(chain.simulateCall({ to: usdc, data })))
      return answer?.ok === true && answer.data?.length === 66 ? BigInt(answer.data) : null
    },
    drawStatement: (inputs) => renderer.draw(inputs),
    close: () => renderer.close(),
    storeFile: async (name, data) => {
      files ??= openFiles(bus, 'mandate-files')
      return (await files).put(name, data)
    },
    dryRun: async (call) => {
      const answer = await whereConfigured(chain.simulateCall(call))
      if (answer === null) return null
      const { ok, revert } = answer
      return {
        ok,
        error: ok ? null : (revert?.name ?? revert?.selector ?? 'out of gas'),
        target_error: revert?.inner?.name ?? null,
      }
    },
  }
}
