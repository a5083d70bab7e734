import type { LocalChain } from '../chain.ts'
import type { Prepared } from '../platform.ts'
import { openDemoAgent } from './agent-work.ts'
import { demoAgentOf, type AgentPerson } from './people.ts'
import { demoRoutes, type Extend } from './routes.ts'

/** The wallets of the local chain and the demo agent, for the pages of a platform on this machine. */
export interface DemoWallet {
  /** Adds the routes of the dev command to the gateway. */
  readonly extend: Extend
  /** Enrols the demo agent and its owner; call it once the platform answers. */
  enrol(): Promise<AgentPerson>
  stop(): Promise<void>
}

/**
 * Opens the demo wallet of a platform with a local chain; it asks nothing yet. `baseUrl` is where its API answers,
 * and `recordedDay` tells the day that the first page can play, if there are recordings.
 */
export function openDemoWallet(
  prepared: Prepared,
  chain: LocalChain,
  urls: { webOrigin: string; baseUrl: string },
  recordedDay: () => Promise<object | null> = () => Promise.resolve(null),
): DemoWallet {
  let person: Promise<AgentPerson> | null = null
  const enrol = () => {
    person ??= demoAgentOf(prepared, chain, urls.baseUrl).catch((error: unknown) => {
      // The next call tries again.
      person = null
      throw error
    })
    return person
  }
  let told: Promise<object | null> | null = null
  const story = () => {
    // Recordings that lack this day leave the page with the day that is made up.
    told ??= recordedDay().catch(() => null)
    return told
  }
  const agent = openDemoAgent({ chain, baseUrl: urls.baseUrl, agent: enrol })
  const wallets = chain.wallets.demo.map(({ address }) => address)
  return {
    extend: demoRoutes({ webOrigin: urls.webOrigin, chainUrl: chain.url, wallets, agent, story }),
    enrol,
    stop: agent.stop,
  }
}
