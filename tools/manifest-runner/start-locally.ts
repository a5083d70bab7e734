import { randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ENCRYPTED, PLAIN } from '#dev/container-environment.ts'
import { dockerImages } from './docker.ts'
import { localImages } from './images.ts'
import { SWITCHES_FOLDER, type House } from '#dev/platform.ts'
import type { Secrets } from './plan.ts'
import { openNothing, openOutside, openSecretsFolder, renderWith, withSettings } from './outside.ts'
import type { Objects } from './objects.ts'
import { runOverlay, type Cluster } from './run-overlay.ts'

export interface LocalPlatform {
  readonly url: string
  readonly cluster: Cluster
  readonly objects: Objects
  readonly secrets: Secrets
  readonly house: House
  stop(): Promise<void>
}

export interface LocalOptions {
  /** A folder of k8s/overlays, or a combination such as `tests/e2e-tls`. */
  readonly overlay: string
  readonly dataDir: string
  readonly port: number
  readonly note: (line: string) => void
  /** Whether a chain, a venue and exchanges surround the platform; default true. */
  readonly surrounded?: boolean
  /** Settings besides those of the surroundings. */
  readonly settings?: Readonly<Record<string, string>>
  /** Changes what was rendered, such as numbers of replicas. */
  readonly adapt?: (objects: Objects) => Objects
  /** What containers are: processes of this code (default), or images of the Docker engine of this machine. */
  readonly engine?: 'processes' | 'docker'
  /** Folders with the code of image tags other than that of this repository. */
  readonly code?: Readonly<Record<string, string>>
}

/** Any port of the network tells other runners that it is taken. */
const CLAIM_PORT = 65_000
const TRIES = 100
const SWITCHES_LOOK_MS = 250

/** Claims a network of the loopback interface that no other runner uses. */
async function claimNetwork(): Promise<{ network: string; claim: Server }> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const network = `127.${randomInt(20, 250)}.${randomInt(1, 250)}`
    const claim = createServer()
    const claimed = await new Promise<boolean>((resolve) => {
      claim.once('error', () => resolve(false))
      claim.listen({ host: `${network}.1`, port: CLAIM_PORT, exclusive: true }, () => resolve(true))
    })
    if (claimed) return { network, claim }
  }
  throw new Error('no network of the loopback interface is free: addresses 127.x.y.z are needed, as Linux has them.')
}

/**
 * Keeps the switches as files in a folder, which is `kubectl patch configmap switches` here: whatever is written there reaches
 * running processes. Returns the function that ends it.
 */
function followSwitches(folder: string, { cluster, objects }: Pick<LocalPlatform, 'cluster' | 'objects'>): () => void {
  let known = { ...objects.configMaps['switches'] }
  mkdirSync(folder, { recursive: true })
  for (const [name, value] of Object.entries(known)) writeFileSync(join(folder, name), value)
  const look = () => {
    const now = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    if (isDeepStrictEqual(now, known)) return
    known = now
    cluster.setConfigMap('switches', now)
  }
  const timer = setInterval(look, SWITCHES_LOOK_MS)
  return () => clearInterval(timer)
}

/** Runs an overlay with a chain, a venue and exchanges of this machine around it. */
export async function startLocally(options: LocalOptions): Promise<LocalPlatform> {
  const {
    overlay,
    dataDir,
    port,
    note,
    settings = {},
    adapt = (objects) => objects,
    code = {},
    surrounded = true,
    engine = 'processes',
  } = options
  const url = `http://127.0.0.1:${port}`
  const outside = await (surrounded ? openOutside(dataDir) : openNothing(dataDir))
  const { network, claim } = await claimNetwork()
  const end = async () => {
    await outside.stop()
    claim.close()
  }
  try {
    const environment = { ...outside.environment, SVC_PUBLIC_URL: url, ...settings }
    const objects = adapt(await renderWith(overlay, environment, join(dataDir, 'installation')))
    const tls = Object.keys(objects.certificates).length > 0 ? ENCRYPTED : PLAIN
    const secrets = withSettings(openSecretsFolder(join(dataDir, 'secrets'), tls), environment)
    const cluster = await runOverlay({
      objects,
      secrets,
      images: engine === 'docker' ? dockerImages() : localImages(dataDir, code),
      folder: dataDir,
      network,
      expose: { service: 'gateway', port },
      note,
    })
    outside.announce(url)
    const unfollow = followSwitches(join(dataDir, SWITCHES_FOLDER), { cluster, objects })
    return {
      url,
      cluster,
      objects,
      secrets,
      house: outside.house,
      stop: async () => {
        unfollow()
        await cluster.stop()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
