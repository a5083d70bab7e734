import { usdcText } from '@svc/limits'
import { Surprise } from '../request.ts'
import { keep, runTool } from '../run-tool.ts'
import type { Outcome } from './closing.ts'
import type { Working } from './scene.ts'
import { DEPOSIT } from './vault.ts'
import { awaitLastMark } from './worth.ts'

const VERIFIER = 'tools/verify-record/main.ts'

/** Gets the weekly statement as JSON and PDF; every figure must follow from the play. */
export async function weeklyStatement(working: Working, outcome: Outcome, folder: string): Promise<void> {
  const { scene, path } = working
  const { walk, asOwner, ownerToken } = scene
  walk.chapter('The weekly statement')
  await awaitLastMark(working)
  const statement = await asOwner(`${path}/statement`, 200, {
    show: [
      'week',
      'state',
      'opening_worth_usdc',
      'closing_worth_usdc',
      'deposits_usdc',
      'withdrawals_usdc',
      'profit_usdc',
      'fees_usdc',
      'trades',
      'spent_usdc',
      'violations',
    ],
  })
  const wanted = {
    deposits_usdc: usdcText(DEPOSIT),
    withdrawals_usdc: usdcText(outcome.withdrawn),
    opening_worth_usdc: '0',
    closing_worth_usdc: '0',
    profit_usdc: usdcText(outcome.withdrawn - DEPOSIT),
    fees_usdc: usdcText(outcome.fee),
    trades: 3,
    spent_usdc: '100',
    violations: 0,
    refusals: { total: 5, by_kind: { MandateStopped: 1, OverDailyCap: 1, OverPerTxCap: 2, server_guard: 1 } },
    approvals: { requested: 1, approved: 1, declined: 0, used: 1, expired: 0 },
    days: { counted: 1, inside_limits: 1 },
  }
  const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, statement[name]]))
  walk.expect('the statement', found, wanted)
  const pdf = await walk.download(`${path}/statement`, { token: ownerToken }, 'application/pdf')
  walk.expect('the first bytes', pdf.subarray(0, 5).toString('latin1'), '%PDF-')
  walk.say(`Open it: ${keep(folder, 'statement.pdf', pdf)}`)
}

interface Step {
  readonly seq: number
  readonly at: string
  readonly kind: string
  readonly source: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns an entry of the record in a few words. */
function gist({ kind, body }: Step): string {
  const word = (name: string) => (typeof body[name] === 'string' ? body[name] : null)
  if (kind === 'state_changed') return `${word('from')} → ${word('to')}, ${word('cause')}`
  const amount = word('amount_usdc')
  return [word('name'), word('kind'), amount === null ? null : `${amount} USDC`]
    .filter((part) => part !== null)
    .join(' ')
}

/** Downloads the record: the verifier accepts it against the chain and rejects a copy with one changed figure. */
export async function verifyRecord({ scene, path }: Working, folder: string): Promise<void> {
  const { walk, stage, asOwner, ownerToken } = scene
  walk.chapter('The record, and its proof')
  const record = await asOwner(`${path}/record`, 200, { show: ['public_id', 'next_since', 'more'] })
  for (const step of record.steps as readonly Step[]) {
    const { seq, at, kind, source } = step
    if (kind !== 'proved')
      walk.say(`  ${String(seq).padStart(3)}  ${at.slice(11)}  ${source.padEnd(8)}${kind.padEnd(20)}${gist(step)}`)
  }
  const token = ownerToken
  const exported = await walk.download(`${path}/record/export`, { token }, 'application/x-ndjson')
  const { body: keys } = await walk.ask('/.well-known/jwks.json', 200, { note: 'The keys that sign heads of records.' })
  const file = keep(folder, 'record.ndjson', exported)
  const more = ['--jwks', keep(folder, 'jwks.json', JSON.stringify(keys)), '--rpc', stage.url]
  walk.expect('the exit code', await runTool(walk, VERIFIER, [file, ...more]), 0)

  const text = exported.toString('utf8')
  const forged = text.replace('"amount_usdc":"60"', '"amount_usdc":"50"')
  if (forged === text) throw new Surprise('the record names no amount of 60 USDC')
  walk.say('The same record with one amount changed, from 60 to 50 USDC:')
  walk.expect(
    'the exit code',
    await runTool(walk, VERIFIER, [keep(folder, 'forged-record.ndjson', forged), ...more]),
    1,
  )
}

/** Shows the public record of the agent, which needs no key: one mandate, kept inside its limits. */
export async function recordStrip({ scene }: Working): Promise<void> {
  const { walk, agentId } = scene
  walk.chapter('The public record of the agent')
  await walk.ask(`/hub/agents/${agentId}/record`, 200, {
    show: ['ladder', 'hall', 'limits', 'work'],
    expect: {
      limits: {
        refusals_taken: 5,
        mandates: 1,
        mandates_kept_inside_limits: 1,
        reports_contradicting_chain: 0,
      },
      'hall.trades': 3,
    },
  })
}
