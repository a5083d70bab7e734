import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ServerProblem } from '@svc/servers'
import { isLate } from '@svc/service'
import { crisisDay } from './crisis-day.ts'
import { mandateDay } from './mandate/mandate-day.ts'
import { firstDay, type RegisteredAgent } from './first-day.ts'
import { readResearch, watchRiskyPair } from './market-day.ts'
import { chainOfPlatform, findOrStartChain } from './vault/chain.ts'
import { openStage } from './vault/stage.ts'
import { wholeLife } from './vault/whole-life.ts'
import { findOrStartPlatform } from './platform.ts'
import { Surprise } from './request.ts'
import { createWalk, type Walk } from './walk.ts'

const HELP = `npm run demo -- [vault] [--data DIR]

Walks an agent's first days against the platform of the data folder: a running one, or one that it
starts and stops again. It registers, mines, is paid and buys a tier; has a risky pair watched; receives an
alert from a replayed crash on a second small platform; reads research and has reports made in English and
Korean. Then an owner signs in, drafts a mandate from a note, designates the agent and signs; the vault holds
the agent to the terms on the local chain until the owner closes it, and the statement and the verified record
come out. Prints every request and answer, and fails when any differs from the documents. Takes about two
minutes, a minute longer when the platform has just begun; it may be repeated. Statement and record are kept in
the folder "demo" of the data folder.

  vault        instead, one vault's whole life on the local chain with plain wallets: terms signed,
               vault created, deposit, trades, every refusal, pause, resume, stop line, stop, unwind,
               settlement, withdrawal. After each transaction the books by the events, by the rules and
               by the contracts are compared. May be repeated: each run has new wallets, and the clock
               of the chain is left alone.
  --data DIR   data folder of the platform (default .data)
  --help       this text
`

interface Played {
  readonly told: string
  readonly play: (walk: Walk) => Promise<void>
  readonly url: string
  stop(): Promise<void>
}

async function firstDayOf(data: string): Promise<Played> {
  const { url, house, stop } = await findOrStartPlatform(data)
  return {
    told: 'The first days',
    url,
    stop,
    play: async (walk) => {
      const agent = await firstDay(walk, house)
      const pair = await watchRiskyPair(walk, agent.key)
      await crisisDay(walk)
      await readResearch(walk, agent.key, pair)
      await mandateOf(walk, data, agent)
    },
  }
}

/** The chapters of the mandate, where the platform has a local chain: test wallets sign for no other. */
async function mandateOf(walk: Walk, data: string, agent: RegisteredAgent): Promise<void> {
  const local = await chainOfPlatform(data)
  if (local === null) {
    walk.chapter('Mandates are left out')
    walk.say('The platform uses a chain elsewhere (HUB_RPC_URL), and the test wallets are for the local one only.')
    return
  }
  const stage = openStage(local.url, local.chain, local.deployment, walk)
  await mandateDay(stage, local.wallets, agent, join(data, 'demo'))
}

async function vaultOf(data: string): Promise<Played> {
  const { url, chain, deployment, wallets, stop } = await findOrStartChain(data)
  return {
    told: 'The life of the vault',
    url,
    stop,
    play: (walk) => wholeLife(openStage(url, chain, deployment, walk), wallets),
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { data: { type: 'string', default: '.data' }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values.help) return void process.stdout.write(HELP)
  const [what = 'first-day', ...more] = positionals
  const plays = new Map([
    ['first-day', firstDayOf],
    ['vault', vaultOf],
  ])
  const chosen = plays.get(what)
  if (chosen === undefined || more.length > 0)
    throw new ServerProblem(`The demo knows first-day and vault, not "${positionals.join(' ').slice(0, 40)}".`)
  const { told, url, play, stop } = await chosen(values.data)
  const walk = createWalk(url)
  try {
    await play(walk)
    console.log(`\n${told} went as the documents say: ${walk.steps()} steps against ${url}.`)
  } catch (error) {
    if (error instanceof Surprise) console.error(`\nNOT as documented: ${error.message}`)
    else if (isLate(error))
      console.error(`\nStopped after ${walk.at()}: what follows took too long (${error.message}). Run the demo again.`)
    else throw error
    process.exitCode = 1
  } finally {
    await stop()
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof ServerProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
})
