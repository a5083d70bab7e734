import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { openDataFolder, openSecrets, startServers } from '@svc/servers'
import { patiently } from '@svc/service'
import { prepareChain } from '#dev/chain.ts'
import type { ServersTls } from '#dev/container-environment.ts'
import { writeK8sSecrets } from '#dev/k8s-secrets.ts'
import { openLegVenue } from '#dev/leg-venue.ts'
import { houseOf, type House } from '#dev/platform.ts'
import { openVenues, QUIET_REPLAY, type VenueChoice } from '#dev/venues.ts'
import { secretsOf } from '#generate/deployment/secrets.ts'
import { render } from '#k8s-verify/render.ts'
import { readObjects, type Objects } from './objects.ts'
import type { Secrets } from './plan.ts'

const k8s = join(import.meta.dirname, '../../k8s')

/** What surrounds the cluster: a chain, a venue and exchanges of this machine. */
export interface Outside {
  /** Settings that lead to it. */
  readonly environment: Readonly<Record<string, string>>
  readonly house: House
  /** Writes the file by which `npm run demo -- --data` finds the platform. */
  announce(url: string): void
  stop(): Promise<void>
}

const staffOf = (house: House) => ({
  SVC_ADMIN_WALLETS: house.admin.address,
  SVC_REVIEWER_WALLETS: house.reviewers.map((wallet) => wallet.address).join(','),
})

/** Opens a data folder without any surroundings, for platforms that only talk to themselves. */
export async function openNothing(dataDir: string): Promise<Outside> {
  const folder = openDataFolder(dataDir)
  const house = houseOf(openSecrets(folder))
  return { environment: staffOf(house), house, announce: () => {}, stop: async () => folder.release() }
}

/** Starts the surroundings of a platform at a data folder. */
export async function openOutside(dataDir: string, choice: VenueChoice = QUIET_REPLAY): Promise<Outside> {
  const none = { postgres: false, nats: false, redis: false } as const
  const servers = await startServers({ dataDir, ...none, chain: true })
  try {
    const { secrets, folder } = servers
    const url = servers.chain?.url ?? ''
    const chain = await patiently(`the local chain at ${url}`, () => prepareChain(url, folder))
    const venues = await openVenues(choice, (line) => process.stderr.write(`${line}\n`))
    const legVenue = await openLegVenue(folder, secrets, chain)
    const house = houseOf(secrets)
    const { factory, factory_v2, usdc } = chain.deployment.contracts
    const all = {
      ...chain.environment,
      ...venues.environment,
      ...legVenue.environment,
      ...staffOf(house),
      HUB_MANDATE_FACTORY_ADDRESS: factory.address,
      HUB_MANDATE_FACTORY_V2_ADDRESS: factory_v2.address,
      HUB_USDC_ADDRESS: usdc.address,
      // A container has no files of this machine; the addresses above say the same.
      HUB_DEPLOYMENT_FILE: undefined,
    }
    return {
      environment: Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      house,
      announce: (address) =>
        folder.write(
          'platform.json',
          `${JSON.stringify({ pid: process.pid, url: address, chain: chain.url, leg_venue: legVenue.url })}\n`,
        ),
      stop: async () => {
        await legVenue.stop()
        await venues.stop()
        await servers.stop()
      },
    }
  } catch (error) {
    await servers.stop()
    throw error
  }
}

/** Creates the Secrets of an installation in a folder, or reads those that it has. */
export function openSecretsFolder(path: string, tls: ServersTls): Secrets {
  const folder = openDataFolder(path)
  try {
    writeK8sSecrets(folder, { tls })
  } finally {
    folder.release()
  }
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const valuesOf = (name: string) =>
    Object.fromEntries(
      readdirSync(join(path, name)).map((key) => [key, readFileSync(join(path, name, key), 'utf8')] as const),
    )
  return Object.fromEntries(entries.map(({ name }) => [name, valuesOf(name)]))
}

/** Adds given settings to the Secrets of the services that declare them as secrets. */
export function withSettings(secrets: Secrets, environment: Readonly<Record<string, string>>): Secrets {
  const needs = secretsOf(contracts)
  return Object.fromEntries(
    Object.entries(secrets).map(([name, values]) => {
      const keys = needs.find((need) => need.name === name)?.keys ?? []
      const given = keys.flatMap(({ name: key }) => (environment[key] === undefined ? [] : [[key, environment[key]]]))
      return [name, { ...values, ...Object.fromEntries(given) }]
    }),
  )
}

/**
 * Renders an overlay with settings merged by a kustomization on top of it, as an operator does for one installation. Settings
 * that are secrets go nowhere: the Secrets have them.
 */
export async function renderWith(
  overlay: string,
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<Objects> {
  // A combination contains its migration.
  const [base, migration] = overlay.startsWith('tests/')
    ? [overlay, null]
    : [`overlays/${overlay}`, `migrate/${overlay}`]
  const plain = readObjects(await render(base))
  const secret = new Set(secretsOf(contracts).flatMap(({ keys }) => keys.map(({ name }) => name)))
  const isSwitch = (name: string) => Object.hasOwn(plain.configMaps['switches'] ?? {}, name)
  const settings = Object.entries(environment).filter(([name]) => !secret.has(name))
  const patch = (name: string, entries: readonly (readonly [string, string])[]) => ({
    target: { kind: 'ConfigMap', name },
    patch: JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: Object.fromEntries(entries),
    }),
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'kustomization.yaml'),
    JSON.stringify({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [relative(folder, join(k8s, base))],
      patches: [
        patch(
          'platform',
          settings.filter(([name]) => !isSwitch(name)),
        ),
        patch(
          'switches',
          settings.filter(([name]) => isSwitch(name)),
        ),
      ].filter((_, index) => index === 0 || settings.some(([name]) => isSwitch(name))),
    }),
  )
  return readObjects([...(await render(folder)), ...(migration === null ? [] : await render(migration))])
}
