import { join } from 'node:path'
import { ServerProblem } from '@svc/servers'
import { openStage } from './chain-stage.ts'
import { crisisDay } from './crisis-day.ts'
import { firstDay, type RegisteredAgent } from './first-day.ts'
import { legDay } from './leg/leg-day.ts'
import { mandateDay } from './mandate/mandate-day.ts'
import { readResearch, watchRiskyPair } from './market-day.ts'
import { chainOfPlatform, findOrStartChain, findOrStartPlatform, legVenueOf } from './platform.ts'
import { openPublicPlatform } from './public/open.ts'
import { publicDay } from './public/public-day.ts'
import { tradeDay } from './trade/trade-day.ts'
import { wholeLife } from './vault/whole-life.ts'
import type { Walk } from './walk.ts'

/** A demo on its platform or chain, ready to play. */
interface Opened {
  readonly url: string
  play(walk: Walk): Promise<void>
  stop(): Promise<void>
}

/** A demo that `npm run demo -- NAME` plays. */
interface Demo {
  readonly title: string
  readonly summary: string
  /** Opens the demo on a data folder. `short` leaves out what takes most of the time, where a demo has such parts. */
  open(data: string, short: boolean): Promise<Opened>
}

async function openFirstDay(data: string, short: boolean): Promise<Opened> {
  const { url, house, stop } = await findOrStartPlatform(data)
  const play = async (walk: Walk) => {
    const agent = await firstDay(walk, house)
    if (!short) await watchMarket(walk, agent.key)
    await playMandate(walk, data, agent)
  }
  return { url, play, stop }
}

async function watchMarket(walk: Walk, key: string): Promise<void> {
  const pair = await watchRiskyPair(walk, key)
  await crisisDay(walk)
  await readResearch(walk, key, pair)
}

/** Plays the mandate if the platform has a local chain: test wallets must not sign for another one. */
async function playMandate(walk: Walk, data: string, agent: RegisteredAgent): Promise<void> {
  const local = await chainOfPlatform(data)
  if (local !== null) {
    await mandateDay(openStage(local, walk), local.wallets, agent, join(data, 'demo'))
    return
  }
  walk.chapter('Mandates are left out')
  walk.say('The platform uses a chain elsewhere (HUB_RPC_URL); the test wallets are for the local chain only.')
}

async function openVault(data: string): Promise<Opened> {
  const local = await findOrStartChain(data)
  return { url: local.url, stop: local.stop, play: (walk) => wholeLife(openStage(local, walk), local.wallets) }
}

/** Opens the platform with its local chain and venue, and stops it again if one of them is elsewhere. */
async function openVenue(data: string) {
  const { url, stop } = await findOrStartPlatform(data)
  const local = await chainOfPlatform(data)
  const venue = legVenueOf(data)
  if (local === null || venue === null) {
    await stop()
    throw new ServerProblem(
      'The platform uses a chain or a venue elsewhere (HUB_RPC_URL, HUB_HL_…): name another folder for the demo with --data.',
    )
  }
  return { url, stop, local, venue }
}

async function openLeg(data: string): Promise<Opened> {
  const { url, stop, local, venue } = await openVenue(data)
  return { url, stop, play: (walk) => legDay(openStage(local, walk), local.wallets, venue) }
}

async function openTrade(data: string): Promise<Opened> {
  const { url, stop, local, venue } = await openVenue(data)
  return { url, stop, play: (walk) => tradeDay(openStage(local, walk), local.wallets, venue, data) }
}

async function openPublic(data: string): Promise<Opened> {
  const { url, stop, scene } = await openPublicPlatform(data)
  return { url, stop, play: async (walk) => void (await publicDay(scene(walk))) }
}

/** The demos by name. */
export const demos: Readonly<Record<string, Demo>> = {
  'first-day': {
    title: "An agent's first days",
    summary: `An agent registers, mines Cherry, is paid and buys a tier. It watches a risky pair, receives the alert of a
    replayed crash on a second small platform, reads research and generates reports in English and Korean.
    Then an owner signs in, drafts a mandate from a note, designates the agent and signs. The vault holds
    the agent to the terms on the local chain until the owner closes it; the weekly statement and the
    verified record are kept in the folder "demo" of the data folder. Takes about two minutes, and a minute
    more if the platform has just started. This is the default.`,
    open: openFirstDay,
  },
  vault: {
    title: "A vault's whole life",
    summary: `One vault on the local chain, with plain wallets: signed terms, creation, deposit, trades, every refusal,
    pause, resume, stop line, stop, unwinding, settlement, withdrawal. After each transaction three books
    are compared: by the events, by the rules and by the contracts. Takes about twenty seconds.`,
    open: openVault,
  },
  leg: {
    title: "A leg's life",
    summary: `A mandate whose agent trades at the perpetuals venue, in its owner's account: drafted, signed, approved, bound and
    funded with test money; orders filled, refused with their verdicts, held and approved; a crash that the
    stop line closes; the return that the owner signs, settlement and statement. After each step the money is
    added up three ways: by calls of the chain, by the venue's ledger, and by our rows. Takes about a minute.`,
    open: openLeg,
  },
  trade: {
    title: 'An owner trades',
    summary: `An owner trades an own account at the venue: a paper book on real depth, the account linked by signature, the order
    key and the builder fee approved, an order that the server signs, an agent's order that the owner confirms, an order
    that a key in the browser signs, and the close while live trading is off. Paper books are added up from their fills,
    orders and the account from the venue's own lists. Takes about half a minute.`,
    open: openTrade,
  },
  public: {
    title: 'The public side',
    summary: `Forty agents with a month of history: the Hall and its proof, and one row that is verified from the chain alone.
    A ranked agent publishes a template, an operator sells signals; a newcomer adopts, signs, hires the house runner, whose
    orders follow each signal once at the local venue; an agent reads signals for Cherry. The history is played once for a
    folder, in one to three minutes; the demo then takes about half a minute. If the platform of the data folder has no
    history, the demo starts one on the folder with-history in it.`,
    open: openPublic,
  },
}

export const helpText = (): string => `npm run demo -- [NAME] [--data DIR] [--short]

Plays a demo against the platform of the data folder: the running one, or one that it starts and stops again.
Prints every request, transaction and answer, and fails if one differs from the documents. A demo can be
repeated: each run has new wallets, and the clock of the chain is left alone.

${Object.entries(demos)
  .map(([name, { summary }]) => `  ${name}\n    ${summary}\n`)
  .join('\n')}
  --data DIR  data folder of the platform (default .data)
  --short     leaves the risky pair, the crash and the research out of the first days
  --help      this text
`
