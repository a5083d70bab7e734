import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contract } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { secretsOf } from '#generate/deployment/secrets.ts'
import { expectedEdges } from './expected-edges.ts'
import type { Finding, Manifest } from './manifest.ts'
import { missingNeeds } from './needs.ts'
import { render } from './render.ts'
import { unexpectedEdges } from './rules/network.ts'
import { imagesByTag, insecurePods, unboundedPods, withoutBudget, writtenSecrets, wrongNodes } from './rules/pods.ts'
import { brokenConfig, brokenSecrets, danglingNames, unsealed, wrongCertificates } from './rules/references.ts'
import { brokenWaves } from './rules/waves.ts'
import { wrongShapes } from './schemas.ts'

/** What is applied together, by the paths of its kustomizations below `k8s`. */
export interface Build {
  readonly name: string
  readonly paths: readonly string[]
  /** Whether images must be named by digest. */
  readonly released: boolean
}

const RELEASED = ['testnet', 'production']
const k8s = join(import.meta.dirname, '../../k8s')

/** Returns every overlay with the Jobs of its migration, production while it is restored, and every combination of `k8s/tests`. */
export async function builds(): Promise<Build[]> {
  const overlays = await readdir(join(k8s, 'overlays'))
  const combinations = await readdir(join(k8s, 'tests'))
  return [
    ...overlays.map((name) => ({
      name,
      paths: [`overlays/${name}`, `migrate/${name}`],
      released: RELEASED.includes(name),
    })),
    {
      name: 'restore',
      paths: ['overlays/production', 'migrate/production', 'restore/cluster', 'restore/files', 'restore/production'],
      released: true,
    },
    ...combinations.map((name) => ({ name: `tests/${name}`, paths: [`tests/${name}`], released: false })),
  ]
}

/** Returns everything that is applied one day in an installation of an overlay: production with what restores it. */
export async function installationOf(name: string): Promise<Build | undefined> {
  const all = await builds()
  return all.find((one) => one.name === (name === 'production' ? 'restore' : name))
}

/** Objects by path: builds share kustomizations, and each costs a run of kubectl. */
const rendered = new Map<string, Promise<Manifest[]>>()
function renderOnce(path: string): Promise<Manifest[]> {
  const known = rendered.get(path) ?? render(path)
  rendered.set(path, known)
  return known
}

export const renderBuild = async ({ paths }: Build): Promise<Manifest[]> =>
  (await Promise.all(paths.map(renderOnce))).flat()

/** Applies every rule to the objects of a build. */
export async function verify(
  objects: readonly Manifest[],
  released: boolean,
  given: readonly Contract[] = contracts,
): Promise<Finding[]> {
  const entries = new Map(
    secretsOf(given).map(({ name, keys }) => [name, new Set(keys.map((key) => key.name))] as const),
  )
  return [
    ...(await wrongShapes(objects)),
    ...insecurePods(objects),
    ...unboundedPods(objects),
    ...withoutBudget(objects),
    ...(released ? [...imagesByTag(objects), ...unsealed(objects), ...missingNeeds(objects)] : []),
    ...writtenSecrets(objects),
    ...wrongNodes(objects),
    ...brokenSecrets(objects, entries),
    ...brokenConfig(objects),
    ...danglingNames(objects),
    ...wrongCertificates(objects),
    ...brokenWaves(objects),
    ...unexpectedEdges(objects, expectedEdges(given, objects)),
  ]
}
