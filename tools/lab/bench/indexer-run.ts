// Runs the jobs of chain-indexer, or viem's `getLogs` alone, in a process of its own.
import { fileURLToPath } from 'node:url'
import { abis, openChain, type Chain } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { openPool } from '@svc/postgres'
import { openLog, systemClock, type Job } from '@svc/service'
import type { Abi, Address } from 'viem'
import { getLogs } from 'viem/actions'

const settings = loadSettings(chainIndexerSettings, process.env)
const chain = openChain(settings) as Chain
const pool = await openPool(process.env['SVC_POSTGRES_URL'] ?? '')
const context = { pool, settings, chain, clock: systemClock, log: openLog('chain-indexer', 'silent') }
const { jobs } = (await import(
  fileURLToPath(new URL('../../../services/chain-indexer/src/jobs.ts', import.meta.url))
)) as { jobs: Readonly<Record<string, (given: typeof context) => Job>> }

const events = [...(abis.vaultV2 as Abi), ...(abis.factory as Abi)].filter((item) => item.type === 'event')

/** Spans of logs read and decoded by viem, and nothing else. Answers how many there were. */
async function bare(toBlock: number, address: readonly Address[]): Promise<number> {
  let done = 0
  for (let from = 1; from <= toBlock; from += settings.vaultEventsMaxSpan) {
    const to = Math.min(toBlock, from + settings.vaultEventsMaxSpan - 1)
    const span = { fromBlock: BigInt(from), toBlock: BigInt(to) }
    done += (await getLogs(chain.client, { ...span, address: [...address], events })).length
  }
  return done
}

async function run(job: string): Promise<number> {
  const made = jobs[job]
  if (made === undefined) throw new Error(`there is no job ${job}`)
  return (await made(context)(AbortSignal.timeout(120_000))).done
}

process.on(
  'message',
  async ({ job, toBlock, addresses }: { job: string; toBlock: number; addresses: readonly Address[] }) => {
    const started = performance.now()
    const done = job === 'bare' ? await bare(toBlock, addresses) : await run(job)
    process.send?.({ done, seconds: (performance.now() - started) / 1000 })
  },
)
process.send?.({ ready: true })
