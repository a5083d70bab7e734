import { freePort } from '@svc/servers'
import { keccak256, toHex } from 'viem'
import { startProcess } from './processes.ts'
import { percent, type Benchmark } from './result.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

const FACTORY = '0xfac7000000000000000000000000000000000001'
const RUN_MS = 120_000

interface Busy {
  readonly blocks: number
  readonly perBlock: number
  readonly vaults: number
}
interface Rig extends AsyncDisposable {
  /** Runs a job, or `bare`, once; returns the count and duration of its work. */
  run(job: string): Promise<{ done: number; seconds: number }>
  /** Sets the newest block. */
  setHead(block: number): Promise<void>
}

/** Opens chain-indexer with an empty schema over a chain with prepared answers. */
async function openRig({ admin, prepared }: Stage, { blocks, perBlock, vaults }: Busy): Promise<Rig> {
  await admin.query(`TRUNCATE chain_indexer.cursor, chain_indexer.block_anchor, chain_indexer.vault, chain_indexer.log,
    chain_indexer.revert_attempt, chain_indexer.outbox`)
  await using parts = new AsyncDisposableStack()
  const port = await freePort()
  const chain = await startProcess('indexer-chain.ts', {
    BENCH_PORT: String(port),
    BENCH_FACTORY: FACTORY,
    BENCH_BLOCKS: String(blocks),
    BENCH_PER_BLOCK: String(perBlock),
    BENCH_VAULTS: String(vaults),
  })
  const settings = {
    ...(prepared.environmentOf('chain-indexer') as Record<string, string>),
    HUB_RPC_URL: `http://127.0.0.1:${port}`,
    HUB_CHAIN_ID: '31337',
    HUB_MANDATE_FACTORY_ADDRESS: FACTORY,
    HUB_CONFIRMATIONS: '0',
    HUB_VAULT_EVENTS_DRY_RUN: '0',
    HUB_VAULT_EVENTS_START_BLOCK: '1',
  }
  parts.use(chain)
  const child = parts.use(await startProcess('indexer-run.ts', settings))
  const addresses = [
    FACTORY,
    ...Array.from({ length: vaults }, (_, n) => `0x${keccak256(toHex(`vault${n}`)).slice(-40)}`),
  ]
  const asked = (job: string) => ({ job, toBlock: blocks, addresses })
  const started = parts.move()
  return {
    run: (job) => child.ask(asked(job), RUN_MS) as ReturnType<Rig['run']>,
    setHead: async (head) => void (await chain.ask({ head }, 5_000)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Measures the sweep and a bare read of the same blocks in rotation; the first round warms up. */
async function rates(stage: Stage, rounds: number): Promise<{ bare: number; swept: number; ratio: number }> {
  // As many logs a call as providers allow, and no more addresses than fit into one call.
  await using rig = await openRig(stage, { blocks: 2_000, perBlock: 25, vaults: 19 })
  const seen: { bare: number; swept: number }[] = []
  for (let round = -1; round < rounds; round += 1) {
    await stage.admin.query(
      'TRUNCATE chain_indexer.cursor, chain_indexer.block_anchor, chain_indexer.vault, chain_indexer.log, chain_indexer.outbox',
    )
    const [bare, swept] = [await rig.run('bare'), await rig.run('vaultEvents')]
    if (bare.done !== swept.done) throw new Error(`${bare.done} events were read, and ${swept.done} stored`)
    const { rows } = await stage.admin.query<{ n: string }>('SELECT count(*) AS n FROM chain_indexer.outbox')
    if (Number(rows[0]?.n) !== swept.done) throw new Error(`${swept.done} events, but ${rows[0]?.n} in the outbox`)
    if (round >= 0) seen.push({ bare: bare.done / bare.seconds, swept: swept.done / swept.seconds })
  }
  return {
    bare: median(seen.map(({ bare }) => bare)),
    swept: median(seen.map(({ swept }) => swept)),
    ratio: median(seen.map(({ bare, swept }) => swept / bare)),
  }
}

/** Returns the seconds for each block: sweeping its events and scanning its receipts for reverted calls. */
async function blockSeconds(stage: Stage, vaults: number, blocks: number): Promise<readonly number[]> {
  const warm = 5
  await using rig = await openRig(stage, { blocks: blocks + warm, perBlock: 100, vaults })
  const seconds: number[] = []
  for (let block = 1; block <= blocks + warm; block += 1) {
    await rig.setHead(block)
    const [swept, scanned] = [await rig.run('vaultEvents'), await rig.run('reverts')]
    if (swept.done === 0) throw new Error(`block ${block} gave no event`)
    if (block > warm) seconds.push(swept.seconds + scanned.seconds)
  }
  return seconds
}

/** The cost of chain-indexer on top of reading logs, and its time for a block of a busy chain. */
export const indexer: Benchmark = async ({ short, shared, note }) => {
  const stage = await shared()
  note('indexer: 50,000 events, read bare and stored, in turn')
  const { bare, swept, ratio } = await rates(stage, short ? 3 : 5)
  const blocks = short ? 15 : 40
  note(`indexer: ${blocks} blocks of 100 events each, with 1,000 vaults and with 10,000`)
  const named = await blockSeconds(stage, 1_000, blocks)
  const byTopic = await blockSeconds(stage, 10_000, blocks)
  const ms = (seconds: readonly number[]) =>
    `${(1000 * median(seconds)).toFixed(0)} ms (greatest ${(1000 * Math.max(...seconds)).toFixed(0)} ms)`
  return {
    figures: [
      {
        what: 'Events of vaults from the RPC into Postgres and the outbox, rate against viem’s bare `getLogs`, which reads and decodes (25 events a block, 5,000 a call, ready-made answers from another process)',
        goal: '≥ 50 %',
        measured: `${percent(ratio)} (${swept.toFixed(0)} against ${bare.toFixed(0)} a second)`,
        met: ratio >= 0.5,
        holdsBack:
          'CPU of the indexer: a header is asked for every block with events, and each event is checked as its contract says and written as JSON twice. Postgres, which stores it twice, works two thirds as long and is waited for at the ends of chunks.',
      },
      {
        what: 'One block of a busy chain with 1,000 vaults: 100 events swept, and receipts scanned for reverted calls',
        goal: '≤ 1 s of the 2 s between blocks',
        measured: ms(named),
        met: Math.max(...named) <= 1,
        holdsBack: 'Log calls that name 20 addresses each: 51 a block.',
      },
      {
        what: 'The same with 10,000 vaults: one log call by topic, addresses matched here',
        goal: '≤ 1 s of the 2 s between blocks',
        measured: ms(byTopic),
        met: Math.max(...byTopic) <= 1,
        holdsBack: 'Addresses of all vaults are read from Postgres in each run.',
      },
    ],
  }
}
