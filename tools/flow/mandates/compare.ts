import { decodeEvent, eventTopics, read, type Chain, type RawLog } from '@svc/chain'
import { nobody, usdcText } from '@svc/limits'
import { sql } from '@svc/postgres'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Played } from './script.ts'
import { callerOf, type Stack } from './stack.ts'

const row = z.record(z.string(), z.unknown())

/** Returns the projection of the chain for a mandate, without members that depend on the time of delivery. */
export async function projectionOf({ mandates: pool }: Stack['pools'], { publicId, vault }: Played) {
  const address = vault.toLowerCase()
  const [books, facts, executions, refusals] = await Promise.all([
    pool.any(sql.type(row)`
        SELECT canonical, creation_tx, books, books_block FROM vault WHERE address = ${address} AND canonical`),
    pool.any(sql.type(row)`
        SELECT tx_hash, log_ordinal, log_index, name, args, block_number, block_hash, block_time FROM chain_fact
        WHERE vault = ${address} AND canonical ORDER BY block_number, log_index`),
    pool.any(sql.type(row)`
        SELECT e.tx_hash, log_ordinal, verdict, e.reason, approved, spent, received, day, block_number FROM execution e
        JOIN mandate m ON m.id = e.mandate_id WHERE m.public_id = ${publicId} AND canonical
        ORDER BY block_number, e.tx_hash, log_ordinal`),
    pool.any(sql.type(row)`
        SELECT tx_hash, kind FROM refusal r JOIN mandate m ON m.id = r.mandate_id
        WHERE m.public_id = ${publicId} AND canonical AND source = 'chain' ORDER BY tx_hash`),
  ])
  return { books, facts, executions, refusals }
}

interface LoggedEvent {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly at: number
}

/** Returns everything that a vault logged, read from the chain. */
async function logsOf(chain: Chain, vault: `0x${string}`): Promise<readonly LoggedEvent[]> {
  const logs = await chain.client.request({
    method: 'eth_getLogs',
    params: [{ address: vault, fromBlock: '0x0', toBlock: 'latest', topics: [[...eventTopics('vaultV2')]] }],
  })
  return Promise.all(
    logs.map(async (log) => {
      const event = decodeEvent('vaultV2', log as unknown as RawLog)
      if (event === null || log.blockNumber === null) throw new Error('a log of a vault cannot be read')
      const { timestamp } = await chain.client.getBlock({ blockNumber: BigInt(log.blockNumber) })
      return { name: event.name, args: event.args as Record<string, unknown>, at: Number(timestamp) * 1_000 }
    }),
  )
}

const sum = (events: readonly LoggedEvent[], names: readonly string[], member: string): bigint =>
  events.reduce((total, { name, args }) => (names.includes(name) ? total + BigInt(String(args[member])) : total), 0n)

/** Fails unless every served figure of a mandate equals the vault's views and logs. */
export async function mustServeTheChain(stack: Stack, chain: Chain, played: Played, now: Date): Promise<void> {
  const { publicId: public_id, vault } = played
  const owner = stack.as(callerOf(played.ownerId, 'owner'))
  const detail = await owner.readMandate({ public_id })
  const statement = await owner.readStatement({ public_id })
  if ('file' in statement) throw new Error('a file came in place of JSON')
  const stopped = detail.stopped_in_record_at !== null
  if ((await chain.client.getCode({ address: vault })) === undefined) {
    expect(await projectionOf(stack.pools, played)).toMatchObject({
      books: [],
      facts: [],
      executions: [],
      refusals: [],
    })
    const ended = now >= new Date(detail.limits.ends_at)
    expect(detail.state).toBe(stopped ? 'stopped' : ended ? 'ended' : 'signed')
    return
  }
  const at = read(chain).vault(vault)
  const [accounted, principal, withdrawn, feeTotal, feeOwed, agent, reason, settled] = await Promise.all([
    at.accounted(),
    at.principal(),
    at.withdrawn(),
    at.feeTotal(),
    at.feeOwed(),
    at.agent(),
    at.stopReason(),
    at.settled(),
  ])
  const figures = { state: detail.state, chain_state: detail.chain_state, fees: detail.fees }
  expect(figures).toMatchObject({
    state: stateOf({
      limits: detail.limits,
      wallet: detail.agent?.wallet ?? '',
      stopped,
      accounted,
      principal,
      agent,
      reason,
      settled,
      now,
    }),
    chain_state: {
      vault,
      principal_usdc: usdcText(principal),
      balance_usdc: usdcText(accounted),
      withdrawn_usdc: usdcText(withdrawn),
      agent: agent === nobody ? null : agent,
      stop_reason: reason === 0 ? null : reason === 1 ? 'owner' : 'stop_line',
      settled,
    },
    fees: {
      accrued_usdc: usdcText(feeTotal),
      owed_usdc: usdcText(feeOwed),
      claimed_usdc: usdcText(feeTotal - feeOwed),
    },
  })
  const logs = await logsOf(chain, vault)
  const today = Math.floor(now.getTime() / 86_400_000)
  const ofToday = logs.filter((event) => Math.floor(event.at / 86_400_000) === today)
  expect(detail.usage).toMatchObject({ used_usdc: usdcText(sum(ofToday, ['Executed'], 'spent')) })

  const from = Date.parse(statement.from)
  const week = logs.filter((event) => event.at >= from && event.at < Date.parse(statement.to))
  expect(statement).toMatchObject({
    deposits_usdc: usdcText(sum(week, ['Deposited', 'DirectDeposit'], 'amount')),
    withdrawals_usdc: usdcText(sum(week, ['Withdrawn'], 'amount')),
    trades: week.filter(({ name }) => name === 'Executed').length,
    spent_usdc: usdcText(sum(week, ['Executed'], 'spent')),
    received_usdc: usdcText(sum(week, ['Executed', 'Unwound'], 'received')),
    fees_usdc: usdcText(sum(week, ['Withdrawn'], 'feeAccrued') + sum(week, ['Settled'], 'fee')),
  })
}

/** Derives the state independently from the vault's views. */
function stateOf(mandate: {
  readonly stopped: boolean
  readonly accounted: bigint
  readonly principal: bigint
  readonly agent: string
  readonly reason: number
  readonly settled: boolean
  readonly now: Date
  readonly limits: { readonly ends_at: string; readonly stop_line_usdc: string }
  readonly wallet: string
}): string {
  if (mandate.settled && mandate.accounted === 0n) return 'closed'
  if (mandate.stopped || mandate.reason !== 0) return 'stopped'
  if (mandate.now >= new Date(mandate.limits.ends_at)) return 'ended'
  if (mandate.agent !== mandate.wallet) return 'paused'
  return usdcText(mandate.principal) !== '0' && mandate.principal > BigInt(mandate.limits.stop_line_usdc) * 1_000_000n
    ? 'working'
    : 'signed'
}
