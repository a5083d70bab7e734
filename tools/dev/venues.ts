import { fork, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@svc/contract'
import { BREADTH_VENUES, VENUES } from '@svc/contracts/market-data/venues'
import { ServerProblem, systemEnvironment } from '@svc/servers'

const replayMain = fileURLToPath(new URL('../replay-exchange/main.ts', import.meta.url))
const START_MS = 120_000
const STOP_MS = 5_000

/**
 * Source of market data: the real exchanges, or the replay exchange with a number of synthetic tokens. The replay
 * exchange enforces the request limits of the real ones unless `limits` is false.
 */
export type VenueChoice =
  | { readonly kind: 'live'; readonly venues: readonly string[]; readonly breadth?: readonly string[] }
  | {
      readonly kind: 'replay'
      readonly tokens: number
      /** Default: all that the replay exchange has. */
      readonly venues?: readonly string[]
      readonly limits?: boolean
    }

/** A small market. */
export const QUIET_REPLAY: VenueChoice = { kind: 'replay', tokens: 30, venues: ['binance', 'gate', 'kucoin'] }

/** A market that costs little, for platforms whose market nobody looks at: the history of each pair is read at the start. */
export const ONE_VENUE: VenueChoice = { kind: 'replay', tokens: 30, venues: ['binance'] }

/** Venues that market-data reads. */
export interface Venues {
  /** Settings of market-data. */
  readonly environment: Environment
  /** A line for people. */
  readonly title: string
  stop(): Promise<void>
}

/** Starts the replay exchange as a separate process, or names the real exchanges. */
export async function openVenues(choice: VenueChoice, log: (line: string) => void): Promise<Venues> {
  if (choice.kind === 'live')
    return {
      environment: {
        MARKET_VENUES: choice.venues.join(','),
        MARKET_BREADTH_VENUES: (choice.breadth ?? []).join(','),
      },
      title: `real exchanges: ${choice.venues.join(', ')}`,
      stop: async () => {},
    }
  const limits = choice.limits === false ? ['--no-limits'] : []
  const some = choice.venues === undefined ? [] : ['--venues', choice.venues.join(',')]
  const child = fork(replayMain, ['--port', '0', '--tokens', String(choice.tokens), ...some, ...limits], {
    env: { ...systemEnvironment(), NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // Ctrl-C in a terminal must reach the services first; the closed channel shows the end of this process.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const addresses = await addressesOf(child)
  let stopping = false
  void ended.then(() => stopping || log('the replay exchange ended by itself; prices stand still until a new start'))
  return {
    environment: {
      ...addresses,
      MARKET_VENUES: venuesOf(addresses, VENUES).join(','),
      MARKET_BREADTH_VENUES: venuesOf(addresses, BREADTH_VENUES).join(','),
    },
    title: `replay exchange (synthetic, not real): ${venuesOf(addresses, VENUES).join(', ')}`,
    stop: async () => {
      stopping = true
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended.finally(() => clearTimeout(force))
    },
  }
}

const PREFIX = 'MARKET_VENUE_BASE_URL_'
const venuesOf = (addresses: Environment, known: readonly string[]) =>
  Object.keys(addresses)
    .map((name) => name.slice(PREFIX.length).toLowerCase())
    .filter((venue) => known.includes(venue))

/** Reads the settings that the replay exchange prints, one per line, until the line that says it listens. */
function addressesOf(child: ChildProcess): Promise<Environment> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      child.kill('SIGKILL')
      reject(new ServerProblem(`The replay exchange ${reason}.`))
    }
    const timer = setTimeout(() => fail(`did not start within ${START_MS / 1000} s`), START_MS)
    child.once('exit', () => {
      clearTimeout(timer)
      fail('ended before it listened')
    })
    const addresses: Record<string, string> = {}
    if (child.stdout === null) return fail('has no output')
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [name = '', value = ''] = line.split('=', 2)
      if (name.startsWith(PREFIX)) addresses[name] = value
      else if (Object.keys(addresses).length > 0) {
        clearTimeout(timer)
        resolve(addresses)
      }
    })
  })
}
