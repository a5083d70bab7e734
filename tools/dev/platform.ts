import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { schemaOf, type Environment } from '@svc/contract'
import { environmentFor } from '@svc/contracts'
import { contracts } from '@svc/contracts/all'
import type { AssetPrices } from '@svc/replay-exchange'
import { redisUrl, startServers, type Secrets, type Servers, type StartOptions } from '@svc/servers'
import { patiently, PROVISIONER } from '@svc/service'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { natsUsersOf, redisUsersOf, rolePassword } from './access.ts'
import { prepareChain, type LocalChain } from './chain.ts'
import { openLegVenue, type LegVenue } from './leg-venue.ts'
import { prepareStorage, prepareStreams } from './storage.ts'
import { openVenues, type VenueChoice, type Venues } from './venues.ts'

/** Staff of the local platform; the keys of their wallets exist only in its data folder. */
export interface House {
  readonly admin: PrivateKeyAccount
  readonly reviewers: readonly [PrivateKeyAccount, PrivateKeyAccount]
}

/** Returns the staff of a data folder, with the same wallets at each call. */
export function houseOf(secrets: Pick<Secrets, 'password'>): House {
  const wallet = (name: string) =>
    privateKeyToAccount(
      `0x${createHash('sha256')
        .update(secrets.password(`wallet-${name}`))
        .digest('hex')}`,
    )
  return { admin: wallet('admin'), reviewers: [wallet('reviewer-1'), wallet('reviewer-2')] }
}

/** Running servers with roles, schemas and streams: everything that services need to start. */
export interface Prepared {
  readonly servers: Servers
  readonly house: House
  /** Null unless requested. */
  readonly chain: LocalChain | null
  /** Source of market data; stops with the servers. */
  readonly venues: Venues
  /** The perpetuals venue of the leg; stops with the servers. Null unless requested. */
  readonly legVenue: LegVenue | null
  /** Folder of switch files (`SVC_SWITCHES_DIR`): a file with the name of a live setting overrides the environment. */
  readonly switchesDir: string
  /** Names of the applied migrations. */
  readonly migrated: readonly string[]
  /** Returns the settings of a service that its contract declares; `more` takes precedence. */
  environmentOf(service: string, more?: Environment): Environment
}

export interface PrepareOptions extends Pick<
  StartOptions,
  'dataDir' | 'ports' | 'durable' | 'supervise' | 'postgres' | 'nats' | 'redis' | 'chain' | 'chainSince'
> {
  readonly publicUrl: string
  /** Default: a small replay exchange. */
  readonly venues?: VenueChoice
  /** Starts the perpetuals venue on this machine and turns on the leg. */
  readonly leg?: boolean
  /** Prices of the perpetuals venue and of markets that open at the test venue. Default: fixed ones, which move on command only. */
  readonly prices?: AssetPrices
  /** Called before each step. */
  readonly onStep?: (step: string) => void
  readonly log?: (line: string) => void
}

/** Folder of switch files in a data folder. */
export const SWITCHES_FOLDER = 'switches'

/** Enough for a demo of every route. */
const SMALL_REPLAY: VenueChoice = { kind: 'replay', tokens: 60 }

const prepareLocalChain = (url: string, folder: Servers['folder'], prices: AssetPrices | undefined) =>
  patiently(`the local chain at ${url}`, () => prepareChain(url, folder, prices))

/** Starts the servers of a data folder and prepares them for the contracts. Safe to repeat. */
export async function preparePlatform(options: PrepareOptions): Promise<Prepared> {
  const { dataDir, publicUrl, venues: choice = SMALL_REPLAY, leg = false, prices, onStep = () => {}, ...rest } = options
  onStep('servers')
  const servers = await startServers({
    ...rest,
    dataDir,
    pageOrigin: new URL(publicUrl).origin,
    natsUsers: natsUsersOf,
    redisUsers: redisUsersOf,
  })
  try {
    const { secrets } = servers
    const { urls, migrated } = await prepareStorage({
      superuserUrl: servers.postgres.url,
      passwordOf: (role) => rolePassword(secrets, role),
      onStep,
    })
    onStep('streams and consumers')
    await prepareStreams(servers.nats.url, secrets.nkey(PROVISIONER).seed)
    if (servers.chain !== null) onStep('contracts on the chain')
    const chain = servers.chain === null ? null : await prepareLocalChain(servers.chain.url, servers.folder, prices)

    onStep('venues')
    const venues = await openVenues(choice, rest.log ?? (() => {}))
    const legVenue = leg ? await openLegVenue(servers.folder, secrets, chain, prices) : null

    const switchesDir = servers.folder.file(SWITCHES_FOLDER)
    mkdirSync(switchesDir, { recursive: true, mode: 0o700 })
    // An older release made it readable for others.
    chmodSync(switchesDir, 0o700)
    const house = houseOf(secrets)
    const everything = (service: string): Environment => ({
      SVC_NATS_URL: servers.nats.url,
      SVC_NATS_SEED: secrets.nkey(service).seed,
      SVC_POSTGRES_URL: urls[schemaOf(service)]?.app,
      SVC_REDIS_URL:
        typeof rest.redis === 'string'
          ? rest.redis
          : redisUrl(servers.redis.port, service, secrets.password(`redis-${service}`)),
      SVC_PUBLIC_URL: publicUrl,
      SVC_SESSION_SIGNING_KEY: secrets.password('session-signing-key'),
      SVC_WEBHOOK_KEY: secrets.password('webhook-key'),
      SVC_KEEPER_CLIENT_SECRET: secrets.password('keeper-client'),
      SVC_ADMIN_WALLETS: house.admin.address,
      SVC_REVIEWER_WALLETS: house.reviewers.map((wallet) => wallet.address).join(','),
      SVC_SWITCHES_DIR: switchesDir,
      SVC_LOG_LEVEL: 'warn',
      SVC_INTERNAL_PORT: '0',
      ...chain?.environment,
      ...venues.environment,
      ...legVenue?.environment,
    })
    const environmentOf = (service: string, more: Environment = {}): Environment => {
      const contract = contracts.find(({ name }) => name === service)
      if (contract === undefined) throw new Error(`there is no service ${service}`)
      return environmentFor(contract, { ...everything(service), ...more })
    }
    const stop = async () => {
      await legVenue?.stop()
      await venues.stop()
      await servers.stop()
    }
    return { servers: { ...servers, stop }, house, chain, venues, legVenue, switchesDir, migrated, environmentOf }
  } catch (error) {
    await servers.stop()
    throw error
  }
}
