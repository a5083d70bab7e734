import { matches } from '#k8s-verify/manifest.ts'
import type { Objects, PodSpec, Service } from './objects.ts'

export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Addresses of a platform: each Service with a virtual address and each pod has one of the loopback interface. */
export interface Addresses {
  /** By name of the Service. */
  readonly services: Readonly<Record<string, string>>
  /** Of the pods of StatefulSets, by name of the pod. */
  readonly pods: Readonly<Record<string, string>>
  /** What a host name stands for: `redis`, `nats-0.nats`. */
  readonly names: Readonly<Record<string, string>>
  /** Those of other pods, which come and go. */
  readonly free: readonly string[]
}

/** Gives every Service and pod an address of the network, such as `127.20.3`. */
export function planAddresses({ services, statefulSets }: Objects, network: string): Addresses {
  const all = Array.from({ length: 252 }, (_, index) => `${network}.${index + 2}`)
  const take = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, all.shift() ?? '']))
  const virtual = take(Object.keys(services).filter((name) => services[name]?.clusterIP !== 'None'))
  const sets = Object.entries(statefulSets)
  const podsOf = (set: string, replicas: number) => Array.from({ length: replicas }, (_, index) => `${set}-${index}`)
  const pods = take(sets.flatMap(([set, { replicas }]) => podsOf(set, replicas)))
  const named = sets.flatMap(([set, { replicas, serviceName }]) =>
    podsOf(set, replicas).map((pod) => [`${pod}.${serviceName}`, pods[pod] ?? ''] as const),
  )
  // A name without a virtual address leads to any pod of the set: to its first.
  const headless = sets.map(([set, { serviceName }]) => [serviceName, pods[`${set}-0`] ?? ''] as const)
  return {
    services: virtual,
    pods,
    names: { ...Object.fromEntries(headless), ...virtual, ...Object.fromEntries(named) },
    free: all,
  }
}

/** Where a pod runs. */
export interface Place {
  readonly name: string
  readonly namespace: string
  readonly address: string
  /** Folder of its files. */
  readonly folder: string
  /** Folders of its claimed volumes, which outlive it, by name of the claim. */
  readonly claims: Readonly<Record<string, string>>
}

/** What containers are given by reference. */
export interface Given {
  readonly configMaps: Objects['configMaps']
  readonly secrets: Secrets
  readonly names: Addresses['names']
}

/** The command of a container with its environment, and the files that it mounts. */
export interface Resolved {
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Content by path. */
  readonly files: Readonly<Record<string, string>>
  /** Folders to create, also those of `files`, with the paths at which the manifest mounts them. */
  readonly mounts: readonly { readonly folder: string; readonly path: string; readonly readOnly: boolean }[]
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Returns a function that translates a text of a container for this machine: host names become addresses, all interfaces
 * become the address of the pod, and mounted paths become folders of the pod.
 */
export function translator(
  names: Addresses['names'],
  address: string,
  mounts: Readonly<Record<string, string>>,
): (text: string) => string {
  const hosts = Object.keys(names).sort((one, other) => other.length - one.length)
  const domain = String.raw`(?:\.[a-z-]+(?:\.svc(?:\.cluster\.local)?)?)?`
  // After a scheme or credentials, before a port: passwords and users are no host names.
  const host = new RegExp(String.raw`(?<=\/\/|@)(${hosts.map(escape).join('|')})${domain}(?=:\d+(?![\w@]))`, 'g')
  const paths = Object.keys(mounts).sort((one, other) => other.length - one.length)
  const path = new RegExp(String.raw`(?<![\w./-])(${paths.map(escape).join('|')})(?![\w.-])`, 'g')
  return (text) => {
    const addressed = hosts.length === 0 ? text : text.replaceAll(host, (_, found: string) => names[found] ?? found)
    const own = addressed.replaceAll(/(?<![\d.])0\.0\.0\.0(?![\d.])/g, address)
    return paths.length === 0 ? own : own.replaceAll(path, (_, found: string) => mounts[found] ?? found)
  }
}

/**
 * Resolves the container of a pod. With `paths` "mounted" the container sees its volumes at the paths that the manifest names; a
 * process sees them in the folders of its pod. Throws if it refers to a Secret, a ConfigMap or an entry that does not exist.
 */
export function resolveContainer(
  { containers, volumes }: PodSpec,
  place: Place,
  given: Given,
  paths: 'of the pod' | 'mounted' = 'of the pod',
): Resolved {
  const [container] = containers
  if (container === undefined) throw new Error(`${place.name} has no container`)
  const group = (kind: 'Secret' | 'ConfigMap', name: string, optional: boolean) => {
    const found = (kind === 'Secret' ? given.secrets : given.configMaps)[name]
    if (found === undefined && !optional) throw new Error(`${place.name}: there is no ${kind} ${name}`)
    return found ?? {}
  }
  const entry = (kind: 'Secret' | 'ConfigMap', { name, key, optional }: Reference) => {
    const value = group(kind, name, optional)[key]
    if (value === undefined && !optional) throw new Error(`${place.name}: the ${kind} ${name} has no entry ${key}`)
    return value
  }
  const folderOf = (volume: string) => place.claims[volume] ?? `${place.folder}/${volume}`
  const folders = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }) => [mountPath, folderOf(name)]))
  const moved = paths === 'mounted' ? {} : folders
  const translate = translator(given.names, place.address, moved)
  const translated = (entries: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, translate(value)]))

  const fields = { 'metadata.name': place.name, 'metadata.namespace': place.namespace, 'status.podIP': place.address }
  const single = container.env.flatMap(({ name, value, valueFrom = {} }) => {
    const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom
    const found =
      value ??
      (configMapKeyRef && entry('ConfigMap', configMapKeyRef)) ??
      (secretKeyRef && entry('Secret', secretKeyRef)) ??
      (fieldRef && fields[fieldRef.fieldPath])
    return found === undefined ? [] : [[name, found] as const]
  })
  const groups = container.envFrom.flatMap(({ secretRef, configMapRef }) => [
    ...(secretRef === undefined ? [] : [group('Secret', secretRef.name, secretRef.optional)]),
    ...(configMapRef === undefined ? [] : [group('ConfigMap', configMapRef.name, configMapRef.optional)]),
  ])
  const files = volumes.flatMap(({ name, secret, configMap }) => {
    const entries =
      secret !== undefined
        ? projected(group('Secret', secret.secretName, secret.optional), secret.items)
        : configMap !== undefined
          ? group('ConfigMap', configMap.name, configMap.optional)
          : {}
    return Object.entries(translated(entries)).map(([key, value]) => [`${folderOf(name)}/${key}`, value])
  })
  const temporary = moved['/tmp']
  return {
    command: container.command.map(translate),
    args: container.args.map(translate),
    env: {
      ...translated({ ...Object.assign({}, ...groups), ...Object.fromEntries(single) }),
      ...(temporary === undefined ? {} : { TMPDIR: temporary }),
    },
    files: Object.fromEntries(files),
    mounts: container.volumeMounts.map(({ name, mountPath, readOnly }) => ({
      folder: folderOf(name),
      path: mountPath,
      readOnly,
    })),
  }
}

/** Returns the entries that a volume takes from a Secret, by the names of their files. */
function projected(
  entries: Readonly<Record<string, string>>,
  items: readonly { readonly key: string; readonly path: string }[] | undefined,
): Readonly<Record<string, string>> {
  if (items === undefined) return entries
  return Object.fromEntries(
    items.flatMap(({ key, path }) => (entries[key] === undefined ? [] : [[path, entries[key]]])),
  )
}

interface Reference {
  readonly name: string
  readonly key: string
  readonly optional: boolean
}

/** Returns the number of a port of a container, which may be given by name. */
export function portOf({ containers }: PodSpec, port: string | number): number {
  if (typeof port === 'number') return port
  const found = containers[0]?.ports.find(({ name }) => name === port)
  if (found === undefined) throw new Error(`no port of the container has the name ${port}`)
  return found.containerPort
}

/** Returns whether a Service leads to a pod with these labels. */
export const leadsTo = ({ selector }: Service, labels: Readonly<Record<string, string>>): boolean =>
  matches(selector, labels)

/** What becomes of a Job after a pod of it ended. */
export type Verdict = 'complete' | 'again' | 'failed'

/** Judges the end of a pod of a Job as its policy says; `failures` counts those before it. */
export function verdictOf(
  { backoffLimit, podFailurePolicy }: Objects['jobs'][string],
  exitCode: number,
  failures: number,
): Verdict {
  if (exitCode === 0) return 'complete'
  const rule = podFailurePolicy?.rules.find(
    ({ onExitCodes: codes }) => codes !== undefined && codes.values.includes(exitCode) === (codes.operator === 'In'),
  )
  if (rule?.action === 'FailJob') return 'failed'
  if (rule?.action === 'Ignore') return 'again'
  return failures < backoffLimit ? 'again' : 'failed'
}

/** How many pods a rolling update may start and stop now. */
export interface Moves {
  readonly start: number
  readonly stop: number
}

/** Pods of a Deployment without those that are being stopped. */
export interface Counts {
  readonly old: number
  readonly oldAvailable: number
  readonly fresh: number
  readonly freshAvailable: number
}

/** Returns the next moves of a rolling update: never more pods than the surge allows, never fewer available than it requires. */
export function nextMoves(
  replicas: number,
  { maxSurge, maxUnavailable }: { readonly maxSurge: number; readonly maxUnavailable: number },
  { old, oldAvailable, fresh, freshAvailable }: Counts,
): Moves {
  const start = Math.max(0, Math.min(replicas - fresh, replicas + maxSurge - old - fresh))
  const spare = oldAvailable + freshAvailable - (replicas - maxUnavailable)
  // An old pod that is not available can go at once.
  const stop = Math.max(0, Math.min(old, old - oldAvailable + Math.max(0, spare)))
  return { start, stop }
}
