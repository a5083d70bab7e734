// Runs the jobs of chain-indexer, or bare `eth_getLogs` with decoding, in a process of its own.
import { fileURLToPath } from 'node:url'
import { abis, eventTopics, openChain, type Chain, type RawLog } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer-settings'
import { openPool } from '@svc/postgres'
import { openLog, systemClock, type Job } from '@svc/service'
import { decodeEventLog, numberToHex, toEventSelector, type Abi, type AbiEvent, type Hex } from 'viem'

const settings = loadSettings(chainIndexerSettings, process.env)
const chain = openChain(settings) as Chain
const pool = await openPool(process.env['SVC_POSTGRES_URL'] ?? '')
const context = { pool, settings, chain, clock: systemClock, log: openLog('chain-indexer', 'silent') }
const { jobs } = (await import(
  fileURLToPath(new URL('../../services/chain-indexer/src/jobs.ts', import.meta.url))
)) as { jobs: Readonly<Record<string, (given: typeof context) => Job>> }

const topics = [...eventTopics('factory', ['VaultCreated']), ...eventTopics('vaultV2')]
const itemsByTopic = new Map(
  [...(abis.vaultV2 as Abi), ...(abis.factory as Abi)]
    .filter((item) => item.type === 'event')
    .map((item): [Hex, AbiEvent] => [toEventSelector(item), item]),
)

/** viem's own decoding, with the one event that the topic names, which is the least that it can be given. */
function isDecoded({ topics: [topic, ...more], data }: RawLog): boolean {
  const item = itemsByTopic.get(topic)
  return item !== undefined && decodeEventLog({ abi: [item], topics: [topic, ...more], data }).eventName !== undefined
}

/** Spans of logs read and decoded, and nothing else. Answers how many there were. */
async function bare(toBlock: number, address: readonly string[]): Promise<number> {
  let done = 0
  for (let from = 1; from <= toBlock; from += settings.vaultEventsMaxSpan) {
    const to = Math.min(toBlock, from + settings.vaultEventsMaxSpan - 1)
    const filter = { fromBlock: numberToHex(from), toBlock: numberToHex(to), topics: [topics], address }
    done += ((await chain.request('eth_getLogs', [filter])) as RawLog[]).filter(isDecoded).length
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
  async ({ job, toBlock, addresses }: { job: string; toBlock: number; addresses: readonly string[] }) => {
    const started = performance.now()
    const done = job === 'bare' ? await bare(toBlock, addresses) : await run(job)
    process.send?.({ done, seconds: (performance.now() - started) / 1000 })
  },
)
process.send?.({ ready: true })
