import { z } from 'zod'
import { NOT_SEALED } from '#generate/deployment/secrets.ts'
import { isServing, matches, placeOf, workloadsOf, type Finding, type Manifest } from '../manifest.ts'

/** Entries of Secrets by name, as the store or the operator gives them. */
export type SecretEntries = ReadonlyMap<string, ReadonlySet<string>>

const externalSecret = z.looseObject({
  target: z.looseObject({ name: z.string() }),
  data: z.array(z.looseObject({ secretKey: z.string() })),
})

/** Returns the Secrets that the ExternalSecrets or SealedSecrets of an overlay make. */
const made = (objects: readonly Manifest[]): SecretEntries =>
  new Map(
    objects.flatMap(({ kind, metadata, spec }): [string, Set<string>][] => {
      if (kind === 'SealedSecret')
        return [[metadata.name, new Set(Object.keys(sealedSecret.parse(spec).encryptedData))]]
      if (kind !== 'ExternalSecret') return []
      const { target, data } = externalSecret.parse(spec)
      return [[target.name, new Set(data.map(({ secretKey }) => secretKey))]]
    }),
  )

const CERTIFICATE_ENTRIES = new Set(['tls.crt', 'tls.key', 'ca.crt'])
/** Returns the Secrets that cert-manager makes. */
const signed = (objects: readonly Manifest[]): SecretEntries =>
  new Map(
    objects
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ spec }) => [z.looseObject({ secretName: z.string() }).parse(spec).secretName, CERTIFICATE_ENTRIES]),
  )

const sealedSecret = z.looseObject({ encryptedData: z.record(z.string(), z.string()) })

/** A use of a Secret: all of its entries, or one. */
interface Use {
  readonly where: string
  readonly name: string
  readonly key: string | null
}

const secretReference = z.looseObject({ name: z.string(), key: z.string().optional() })

function usesOf(objects: readonly Manifest[]): Use[] {
  const inPods = workloadsOf(objects).flatMap(({ object, spec }) => {
    const use = (name: string, key: string | null): Use => ({ where: placeOf(object), name, key })
    return [
      ...spec.volumes.flatMap(({ secret }) =>
        secret === undefined || secret.optional === true ? [] : [use(secret.secretName, null)],
      ),
      ...spec.containers.flatMap(({ env, envFrom }) => [
        ...env.flatMap(({ valueFrom }) =>
          valueFrom?.secretKeyRef === undefined ? [] : [use(valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key)],
        ),
        ...envFrom.flatMap(({ secretRef }) => (secretRef === undefined ? [] : [use(secretRef.name, null)])),
      ]),
    ]
  })
  const operated = objects.flatMap((object) =>
    secretsOfOperated(object).map(({ name, key }): Use => ({ where: placeOf(object), name, key: key ?? null })),
  )
  return [...inPods, ...operated]
}

/** Returns the Secrets that the operator of Postgres reads for an object. */
function secretsOfOperated({ kind, spec }: Manifest): z.output<typeof secretReference>[] {
  if (kind === 'ObjectStore') {
    const { configuration } = z
      .looseObject({ configuration: z.looseObject({ s3Credentials: z.record(z.string(), secretReference) }) })
      .parse(spec)
    return Object.values(configuration.s3Credentials)
  }
  if (kind !== 'Cluster') return []
  const { superuserSecret, certificates } = z
    .looseObject({ superuserSecret: secretReference, certificates: z.record(z.string(), z.string()).default({}) })
    .parse(spec)
  return [superuserSecret, ...Object.values(certificates).map((name) => ({ name }))]
}

/**
 * Every Secret that is used is defined with the entry, and every one that is defined is used. Secrets are defined by the
 * ExternalSecrets or SealedSecrets of the overlay; without any, by `given`, the list that an installation creates by hand. Those of
 * certificates are made by cert-manager.
 */
export function brokenSecrets(objects: readonly Manifest[], given: SecretEntries): Finding[] {
  const own = made(objects)
  const defined = new Map([...(own.size === 0 ? given : own), ...signed(objects)])
  const uses = usesOf(objects)
  const missing = uses
    .filter(({ name, key }) => !(key === null ? defined.has(name) : defined.get(name)?.has(key) === true))
    .map(({ where, name, key }) => ({
      rule: 'secrets',
      where,
      problem: `nothing defines ${name}${key === null ? '' : `/${key}`}`,
    }))
  const used = new Set(uses.map(({ name }) => name))
  const unused = [...own.keys()].filter((name) => !used.has(name))
  return [
    ...missing,
    ...unused.map((name) => ({
      rule: 'secrets',
      where: `Secret/${name}`,
      problem: 'nobody uses it: remove it',
    })),
  ]
}

/** A released overlay patches every value of the generated SealedSecrets with the one that kubeseal printed. */
export function unsealed(objects: readonly Manifest[]): Finding[] {
  return objects
    .filter(({ kind }) => kind === 'SealedSecret')
    .flatMap((object) =>
      Object.entries(sealedSecret.parse(object['spec']).encryptedData)
        .filter(([, value]) => value === NOT_SEALED)
        .map(([key]) => ({ rule: 'sealed', where: placeOf(object), problem: `${key} has no sealed value` })),
    )
}

/** Every entry of a ConfigMap that a variable needs is defined, and every entry of the settings is read by a process. */
export function brokenConfig(objects: readonly Manifest[]): Finding[] {
  const maps = new Map(
    objects
      .filter(({ kind }) => kind === 'ConfigMap')
      .map((object) => [object.metadata.name, new Set(Object.keys((object['data'] ?? {}) as object))] as const),
  )
  const read = new Set<string>()
  const findings: Finding[] = []
  for (const { object, spec } of workloadsOf(objects)) {
    const say = (problem: string) => findings.push({ rule: 'config', where: placeOf(object), problem })
    for (const { configMap } of spec.volumes)
      if (configMap !== undefined && configMap.optional !== true && !maps.has(configMap.name))
        say(`nothing defines ConfigMap ${configMap.name}`)
    for (const { configMapKeyRef: ref } of spec.containers.flatMap(({ env }) =>
      env.map(({ valueFrom }) => valueFrom ?? {}),
    )) {
      if (ref === undefined) continue
      read.add(ref.key)
      if (ref.optional !== true && maps.get(ref.name)?.has(ref.key) !== true)
        say(`nothing defines ${ref.name}/${ref.key}`)
    }
  }
  const settings = [...maps].filter(([name]) => /^(platform|setup)(-|$)/.test(name))
  const unread = new Set(settings.flatMap(([, keys]) => [...keys]).filter((key) => !read.has(key)))
  return [
    ...findings,
    ...[...unread].map((key) => ({
      rule: 'config',
      where: 'ConfigMap',
      problem: `no process reads ${key}: correct the name`,
    })),
  ]
}

const selecting = z.looseObject({
  selector: z.record(z.string(), z.unknown()).optional(),
  ports: z.array(z.looseObject({ targetPort: z.union([z.string(), z.number()]).optional() })).default([]),
})

/** Selectors of Services reach a port that exists, accounts exist, and whatever scales something owns its replicas alone. */
export function danglingNames(objects: readonly Manifest[]): Finding[] {
  const workloads = workloadsOf(objects)
  const accounts = new Set(objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name))
  const services = objects
    .filter(({ kind }) => kind === 'Service')
    .flatMap((object): Finding[] => {
      const { selector = {}, ports } = selecting.parse(object['spec'])
      // The operator makes the pods of a Cluster.
      const behind = workloads.filter(
        (one) => isServing(one) && matches(selector as Record<string, string>, one.labels),
      )
      const say = (problem: string): Finding => ({ rule: 'names', where: placeOf(object), problem })
      if (behind.length === 0) return [say('its selector matches no pod')]
      const named = new Set(
        behind.flatMap(({ spec }) => spec.containers.flatMap(({ ports: own }) => own.map(({ name }) => name))),
      )
      return ports
        .filter(({ targetPort }) => typeof targetPort === 'string' && !named.has(targetPort))
        .map(({ targetPort }) => say(`no container names a port ${String(targetPort)}`))
    })
  const orphans = workloads
    .filter(({ spec }) => spec.serviceAccountName !== undefined && !accounts.has(spec.serviceAccountName))
    .map(({ object, spec }): Finding => ({
      rule: 'names',
      where: placeOf(object),
      problem: `ServiceAccount ${spec.serviceAccountName} does not exist`,
    }))
  return [...services, ...orphans, ...scalers(objects)]
}

const scaling = z.looseObject({ scaleTargetRef: z.looseObject({ name: z.string() }) })

function scalers(objects: readonly Manifest[]): Finding[] {
  const targets = objects
    .filter(({ kind }) => ['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind))
    .map((object) => ({ object, name: scaling.parse(object['spec']).scaleTargetRef.name }))
  return targets.flatMap(({ object, name }) => {
    const say = (problem: string): Finding => ({ rule: 'names', where: placeOf(object), problem })
    const target = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)
    if (target === undefined) return [say(`Deployment ${name} does not exist`)]
    if (targets.filter((one) => one.name === name).length > 1) return [say(`Deployment ${name} is scaled twice`)]
    return Object.hasOwn(target['spec'] as object, 'replicas') ? [say(`Deployment ${name} states replicas too`)] : []
  })
}

const serverCertificate = z.looseObject({ secretName: z.string(), dnsNames: z.array(z.string()).default([]) })
const ofServer = z.looseObject({ certificates: z.looseObject({ serverTLSSecret: z.string() }).optional() })

const withNats = z.looseObject({ SVC_NATS_URL: z.string().default('') })

/** The certificate of each server names every host under which clients look for it, because they verify the name. */
export function wrongCertificates(objects: readonly Manifest[]): Finding[] {
  const named = new Map(
    objects
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ spec }) => {
        const { secretName, dnsNames } = serverCertificate.parse(spec)
        return [secretName, dnsNames] as const
      }),
  )
  const unnamed = (where: string, secret: string, hosts: readonly string[]): Finding[] =>
    hosts
      .filter((host) => named.get(secret)?.includes(host) !== true)
      .map((host) => ({ rule: 'certificates', where, problem: `the certificate of ${secret} does not name ${host}` }))
  const clusters = objects
    .filter(({ kind }) => kind === 'Cluster')
    .flatMap((object) => {
      const secret = ofServer.parse(object['spec']).certificates?.serverTLSSecret
      const hosts = ['rw', 'ro', 'r'].map((role) => `${object.metadata.name}-${role}`)
      return secret === undefined ? [] : unnamed(placeOf(object), secret, hosts)
    })
  const addresses = objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap(({ data }) => withNats.parse(data ?? {}).SVC_NATS_URL.split(','))
  const nodes = addresses.flatMap((address) => /^tls:\/\/([^:]+):/.exec(address)?.[1] ?? [])
  return [...clusters, ...unnamed('StatefulSet/nats', 'nats-tls', [...new Set(nodes)])]
}
