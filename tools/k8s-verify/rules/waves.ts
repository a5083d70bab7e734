import { z } from 'zod'
import { placeOf, workloadsOf, type Finding, type Manifest, type Workload } from '../manifest.ts'

const WAVE = 'argocd.argoproj.io/sync-wave'
const annotated = z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) })
const waveText = ({ metadata }: Manifest): string | undefined => annotated.parse(metadata).annotations[WAVE]
const waveOf = (object: Manifest): number => Number(waveText(object) ?? 0)

const named = z.looseObject({ name: z.string() })

/** Returns the places of objects that make Secrets, by the name of the Secret. */
function makersOf(objects: readonly Manifest[]): ReadonlyMap<string, string> {
  const target = z.looseObject({ target: named })
  const signed = z.looseObject({ secretName: z.string() })
  return new Map(
    objects.flatMap((object): [string, string][] => {
      if (object.kind === 'ExternalSecret') return [[target.parse(object['spec']).target.name, placeOf(object)]]
      if (object.kind === 'Certificate') return [[signed.parse(object['spec']).secretName, placeOf(object)]]
      return ['SealedSecret', 'Secret'].includes(object.kind) ? [[object.metadata.name, placeOf(object)]] : []
    }),
  )
}

const claiming = z.looseObject({ persistentVolumeClaim: z.looseObject({ claimName: z.string() }).optional() })

/** What the pods of a workload mount and read. */
function mounted({ spec }: Workload, secret: (name: string) => string): string[] {
  const containers = [...spec.containers, ...spec.initContainers]
  return [
    ...(spec.serviceAccountName === undefined ? [] : [`ServiceAccount/${spec.serviceAccountName}`]),
    ...spec.volumes.flatMap((volume) => [
      ...(volume.secret === undefined ? [] : [secret(volume.secret.secretName)]),
      ...(volume.configMap === undefined ? [] : [`ConfigMap/${volume.configMap.name}`]),
      ...[claiming.parse(volume).persistentVolumeClaim ?? []]
        .flat()
        .map(({ claimName }) => `PersistentVolumeClaim/${claimName}`),
    ]),
    ...containers.flatMap(({ env, envFrom }) => [
      ...env.flatMap(({ valueFrom }) => [
        ...(valueFrom?.secretKeyRef === undefined ? [] : [secret(valueFrom.secretKeyRef.name)]),
        ...(valueFrom?.configMapKeyRef === undefined ? [] : [`ConfigMap/${valueFrom.configMapKeyRef.name}`]),
      ]),
      ...envFrom.flatMap(({ secretRef, configMapRef }) => [
        ...(secretRef === undefined ? [] : [secret(secretRef.name)]),
        ...(configMapRef === undefined ? [] : [`ConfigMap/${configMapRef.name}`]),
      ]),
    ]),
  ]
}

/** What a Job or a service must find to end or to be ready: the servers that it calls, and what prepared them. */
function prepared({ object, labels }: Workload, objects: readonly Manifest[]): string[] {
  if (object.kind === 'CronJob') return []
  const clusters = objects.filter(({ kind }) => kind === 'Cluster').map(placeOf)
  const servers = [
    ...(labels['platform/nats'] === 'true' ? ['StatefulSet/nats', 'Service/nats'] : []),
    ...(labels['platform/postgres'] === 'true' ? [...clusters, 'StatefulSet/postgres', 'Service/postgres-rw'] : []),
    ...(labels['platform/redis'] === 'true' ? ['Deployment/redis', 'Service/redis'] : []),
  ]
  const { name } = object.metadata
  const isService = object.kind === 'Deployment' && labels['platform/nats'] === 'true'
  if (isService) return [...servers, 'Job/roles', 'Job/provision', `Job/migrate-${name}`]
  return name.startsWith('migrate-') ? [...servers, 'Job/roles'] : servers
}

const issued = z.looseObject({ issuerRef: z.looseObject({ kind: z.string(), name: z.string() }) })
const issuing = z.looseObject({ ca: z.looseObject({ secretName: z.string() }).optional() })
const clustered = z.looseObject({
  superuserSecret: named,
  certificates: z.record(z.string(), z.string()).default({}),
  plugins: z.array(z.looseObject({ parameters: z.looseObject({ barmanObjectName: z.string() }) })).default([]),
})
const stored = z.looseObject({ configuration: z.looseObject({ s3Credentials: z.record(z.string(), named) }) })
const routed = z.looseObject({ rules: z.array(z.looseObject({ backendRefs: z.array(named) })) })

/** What an object other than a pod names. */
function namedBy({ kind, spec }: Manifest, secret: (name: string) => string): string[] {
  switch (kind) {
    case 'Certificate': {
      const { issuerRef } = issued.parse(spec)
      return [`${issuerRef.kind}/${issuerRef.name}`]
    }
    case 'Issuer': {
      const { ca } = issuing.parse(spec)
      return ca === undefined ? [] : [secret(ca.secretName)]
    }
    case 'Cluster': {
      const { superuserSecret, certificates, plugins } = clustered.parse(spec)
      const secrets = [superuserSecret.name, ...Object.values(certificates)].map(secret)
      return [...secrets, ...plugins.map(({ parameters }) => `ObjectStore/${parameters.barmanObjectName}`)]
    }
    case 'ObjectStore':
      return Object.values(stored.parse(spec).configuration.s3Credentials).map(({ name }) => secret(name))
    case 'ScheduledBackup':
      return [`Cluster/${z.looseObject({ cluster: named }).parse(spec).cluster.name}`]
    case 'StatefulSet':
      return [`Service/${z.looseObject({ serviceName: z.string() }).parse(spec).serviceName}`]
    case 'HorizontalPodAutoscaler':
    case 'ScaledObject':
      return [`Deployment/${z.looseObject({ scaleTargetRef: named }).parse(spec).scaleTargetRef.name}`]
    case 'HTTPRoute':
      return routed.parse(spec).rules.flatMap(({ backendRefs }) => backendRefs.map(({ name }) => `Service/${name}`))
    default:
      return []
  }
}

/** Returns, for each object, the other objects of the overlay that must be there, or be healthy, before it is healthy. */
function needsOf(objects: readonly Manifest[]): ReadonlyMap<string, readonly string[]> {
  const makers = makersOf(objects)
  const secret = (name: string) => makers.get(name) ?? `Secret/${name}`
  const workloads = new Map(workloadsOf(objects).map((workload) => [placeOf(workload.object), workload]))
  const places = new Set(objects.map(placeOf))
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(placeOf)
  return new Map(
    objects.map((object) => {
      const workload = workloads.get(placeOf(object))
      const hasPods = workload !== undefined || object.kind === 'Cluster'
      const needed = [
        ...(object.metadata.namespace === undefined ? [] : [`Namespace/${object.metadata.namespace}`]),
        ...namedBy(object, secret),
        ...(workload === undefined ? [] : [...mounted(workload, secret), ...prepared(workload, objects)]),
        // A pod whose policy comes later cannot reach what it needs.
        ...(hasPods ? policies : []),
      ]
      return [placeOf(object), [...new Set(needed)].filter((place) => places.has(place) && place !== placeOf(object))]
    }),
  )
}

/** The first sync of Argo CD. */
export interface FirstSync {
  /** Objects in the order in which they become healthy, by wave. */
  readonly waves: readonly { readonly wave: number; readonly healthy: readonly string[] }[]
  /** Objects that never become healthy, with what they wait for: the sync stays in their wave. Empty: it ends. */
  readonly stuck: readonly { readonly place: string; readonly wave: number; readonly waitsFor: readonly string[] }[]
}

/**
 * Simulates the first sync of Argo CD: it applies the objects of a wave together and waits until all are healthy before the next wave.
 * An object is healthy once everything that it needs is. A volume that binds with its first pod is pending until that pod runs, so no
 * wave may follow.
 */
export function simulateFirstSync(objects: readonly Manifest[]): FirstSync {
  const needs = needsOf(objects)
  const numbers = [...new Set(objects.map(waveOf))].sort((a, b) => a - b)
  const last = numbers.at(-1) ?? 0
  const healthy = new Set<string>()
  const waves: { wave: number; healthy: string[] }[] = []
  for (const wave of numbers) {
    const reached: string[] = []
    let pending = objects.filter((object) => waveOf(object) === wave)
    const waitsFor = (object: Manifest) => [
      ...(needs.get(placeOf(object)) ?? []).filter((place) => !healthy.has(place)),
      ...(object.kind === 'PersistentVolumeClaim' && wave !== last ? ['its first pod'] : []),
    ]
    for (let ready = pending; ready.length > 0;) {
      ready = pending.filter((object) => waitsFor(object).length === 0)
      for (const object of ready) healthy.add(placeOf(object))
      reached.push(...ready.map(placeOf))
      pending = pending.filter((object) => !healthy.has(placeOf(object)))
    }
    waves.push({ wave, healthy: reached })
    if (pending.length > 0)
      return { waves, stuck: pending.map((object) => ({ place: placeOf(object), wave, waitsFor: waitsFor(object) })) }
  }
  return { waves, stuck: [] }
}

/** No object of a wave needs one of a later wave, so that the first sync ends. Without waves there is nothing to hold. */
export function brokenWaves(objects: readonly Manifest[]): Finding[] {
  if (objects.every((object) => waveText(object) === undefined)) return []
  return simulateFirstSync(objects).stuck.map(({ place, wave, waitsFor }) => ({
    rule: 'waves',
    where: place,
    problem: `in wave ${wave} waits for ever for ${waitsFor.join(', ')}`,
  }))
}
