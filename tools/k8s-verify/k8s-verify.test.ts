import { contracts } from '@svc/contracts/all'
import { beforeAll, expect, test } from 'vitest'
import { secretsOf } from '#generate/deployment/secrets.ts'
import { settingsOfProcess } from '#generate/deployment/settings-of-process.ts'
import { placeOf, type Finding, type Manifest } from './manifest.ts'
import { judgeNeeds, OBJECT_NEEDS, OPERATORS, SECRET_NEEDS, SETTING_NEEDS } from './needs.ts'
import { reachability } from './rules/network.ts'
import { simulateFirstSync } from './rules/waves.ts'
import { builds, installationOf, renderBuild, verify, type Build } from './verify.ts'

const rendered = new Map<string, { build: Build; objects: Manifest[] }>()
beforeAll(async () => {
  for (const build of await builds()) rendered.set(build.name, { build, objects: await renderBuild(build) })
})

const objectsOf = (name: string): Manifest[] => {
  const found = rendered.get(name)
  if (found === undefined) throw new Error(`k8s has no ${name}`)
  return found.objects
}

test('every overlay and combination keeps every rule', async () => {
  expect([...rendered.keys()].sort()).toEqual(
    expect.arrayContaining(['ci', 'e2e', 'local', 'production', 'testnet', 'tests/everything']),
  )
  const findings: Record<string, Finding[]> = {}
  for (const [name, { build, objects }] of rendered) findings[name] = await verify(objects, build.released)
  expect(findings).toEqual(Object.fromEntries([...rendered.keys()].map((name) => [name, []])))
})

/** Returns a part of an object; fails if it does not exist. */
function part(object: unknown, ...path: readonly (string | number)[]): object {
  const found = path.reduce<unknown>((value, name) => Reflect.get(value as object, name), object)
  if (typeof found !== 'object' || found === null) throw new Error(`no ${path.join('.')}`)
  return found
}
const at = (objects: readonly Manifest[], place: string, ...path: readonly (string | number)[]): object =>
  part(
    objects.find((one) => placeOf(one) === place),
    ...path,
  )
const POD = ['spec', 'template', 'spec'] as const
const APP = [...POD, 'containers', 0] as const
const set = (target: object, name: string, value: unknown) => void Reflect.set(target, name, value)
const without = (objects: Manifest[], place: string) => {
  at(objects, place)
  const index = objects.findIndex((one) => placeOf(one) === place)
  objects.splice(index, 1)
}
const configOf = (objects: readonly Manifest[]) =>
  part(
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('platform-')),
    'data',
  )

/** A manifest that breaks each rule: what is changed in production, and the finding. */
const broken: readonly [rule: string, change: (objects: Manifest[]) => void, finding: RegExp][] = [
  ['schema', (all) => set(at(all, 'Deployment/mining', 'spec'), 'replicas', '2'), /replicas must be integer/],
  ['schema', (all) => set(at(all, 'Deployment/mining', ...APP), 'volumeMount', []), /volumeMount is not a field/],
  ['schema', (all) => set(at(all, 'Cluster/postgres', 'spec'), 'instances', 0), /instances/],
  [
    'schema',
    (all) => set(at(all, 'ScaledObject/research-reports', 'spec'), 'triggers', 'cron'),
    /triggers must be array/,
  ],
  ['schema', (all) => set(at(all, 'Deployment/mining'), 'apiVersion', 'apps/v1beta9'), /does not exist/],
  ['pod-security', (all) => set(at(all, 'Deployment/mining', ...POD), 'hostNetwork', true), /namespace of the node/],
  [
    'pod-security',
    (all) => set(at(all, 'Job/roles', ...POD), 'automountServiceAccountToken', true),
    /ServiceAccountToken/,
  ],
  [
    'pod-security',
    (all) => set(at(all, 'StatefulSet/nats', ...APP, 'securityContext'), 'privileged', true),
    /privileged/,
  ],
  [
    'pod-security',
    (all) => set(at(all, 'Deployment/redis', ...APP, 'securityContext'), 'readOnlyRootFilesystem', false),
    /readOnlyRootFilesystem/,
  ],
  ['probes', (all) => set(at(all, 'Deployment/gateway', ...APP), 'readinessProbe', undefined), /add a readinessProbe/],
  ['limits', (all) => set(at(all, 'Deployment/keeper', ...APP, 'resources'), 'limits', {}), /limit the memory/],
  [
    'endings',
    (all) => set(at(all, 'Deployment/hl-leg', ...POD), 'terminationGracePeriodSeconds', 30),
    /more than 35 s/,
  ],
  ['budgets', (all) => without(all, 'PodDisruptionBudget/identity'), /PodDisruptionBudget/],
  ['digests', (all) => set(at(all, 'Deployment/mining', ...APP), 'image', 'platform/mining:1.0.0'), /by its digest/],
  [
    'written-secrets',
    (all) => set(at(all, 'Deployment/mining', ...APP), 'env', [{ name: 'SVC_NATS_SEED', value: 'SU' }]),
    /mount SVC_NATS_SEED/,
  ],
  [
    'written-secrets',
    (all) => void all.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }),
    /store of secrets/,
  ],
  ['nodes', (all) => set(at(all, 'StatefulSet/nats', 'spec'), 'replicas', 1), /1 replicas, .* names 3 nodes/],
  [
    'nodes',
    (all) =>
      set(
        at(all, 'StatefulSet/nats', 'spec', 'volumeClaimTemplates', 0, 'spec', 'resources', 'requests'),
        'storage',
        '8Gi',
      ),
    /volume is smaller/,
  ],
  ['secrets', (all) => without(all, 'ExternalSecret/mining'), /nothing defines mining/],
  ['secrets', (all) => without(all, 'Certificate/redis'), /nothing defines redis-tls/],
  ['secrets', (all) => without(all, 'Certificate/postgres'), /nothing defines postgres-tls/],
  [
    'sealed',
    (all) =>
      void all.push({
        apiVersion: 'bitnami.com/v1alpha1',
        kind: 'SealedSecret',
        metadata: { name: 'mining' },
        spec: { encryptedData: { SVC_NATS_SEED: 'not-sealed' } },
      }),
    /SVC_NATS_SEED has no sealed value/,
  ],
  [
    'secrets',
    (all) => set(at(all, 'ExternalSecret/roles', 'spec'), 'data', [{ secretKey: 'POSTGRES_URL' }]),
    /nothing defines roles\/SETUP_ROLE_PASSWORDS/,
  ],
  ['secrets', (all) => without(all, 'Deployment/redis'), /nobody uses it/],
  ['config', (all) => set(configOf(all), 'SVC_LOG_LEVLE', 'warn'), /no process reads SVC_LOG_LEVLE/],
  [
    'config',
    (all) => void all.splice(0, all.length, ...all.filter(({ kind }) => kind !== 'ConfigMap')),
    /ConfigMap nats-/,
  ],
  [
    'needs',
    (all) => set(configOf(all), 'SVC_TRUSTED_PROXIES', ''),
    /set SVC_TRUSTED_PROXIES: without it the load balancer/,
  ],
  ['needs', (all) => set(configOf(all), 'HUB_KEEPER_MARK_DRY_RUN', '0'), /set SVC_KEEPER_CDP_ADDRESS/],
  ['needs', (all) => without(all, 'ObjectStore/postgres-backup'), /set destinationPath/],
  ['names', (all) => without(all, 'ServiceAccount/mining'), /ServiceAccount mining/],
  ['names', (all) => set(at(all, 'Service/gateway', 'spec'), 'selector', { a: 'b' }), /matches no pod/],
  ['names', (all) => set(at(all, 'Deployment/gateway', 'spec'), 'replicas', 2), /states replicas too/],
  ['network', (all) => without(all, 'NetworkPolicy/deny-all'), /denies all/],
  ['network', (all) => set(at(all, 'NetworkPolicy/to-redis', 'spec'), 'egress', []), /gateway → redis:6379: is needed/],
  [
    'network',
    (all) => set(at(all, 'NetworkPolicy/outside', 'spec'), 'podSelector', {}),
    /gateway → outside:443: is allowed/,
  ],
  [
    'network',
    (all) => set(at(all, 'NetworkPolicy/outside', 'spec', 'egress', 0, 'to', 0, 'ipBlock'), 'except', []),
    /169\.254\.0\.0/,
  ],
]

test.each(broken)('a manifest that breaks the rule "%s" is found', async (rule, change, text) => {
  const objects = structuredClone(objectsOf('production'))
  change(objects)
  const findings = (await verify(objects, true)).filter((finding) => finding.rule === rule)
  expect(findings.map(({ where, problem }) => `${where}: ${problem}`).join('\n')).toMatch(text)
})

const brokenRestore: typeof broken = [
  [
    'certificates',
    (all) => set(at(all, 'Certificate/postgres-restored', 'spec'), 'dnsNames', ['postgres-rw']),
    /postgres-restored-tls does not name postgres-restored-rw/,
  ],
  ['secrets', (all) => without(all, 'Certificate/postgres-restored'), /nothing defines postgres-restored-tls/],
  [
    'network',
    (all) =>
      set(at(all, 'NetworkPolicy/to-postgres', 'spec', 'egress', 0, 'to', 0), 'podSelector', {
        matchLabels: { 'cnpg.io/cluster': 'postgres' },
      }),
    /after-restore → postgres-restored:5432: is needed/,
  ],
  [
    'network',
    (all) =>
      set(at(all, 'NetworkPolicy/postgres', 'spec', 'podSelector'), 'matchExpressions', [
        { key: 'x', operator: 'Exists' },
      ]),
    /postgres-restored → outside:443: is needed/,
  ],
  ['network', (all) => without(all, 'NetworkPolicy/nats-from-copies'), /restore-files → nats:4222: is needed/],
  ['digests', (all) => set(at(all, 'Job/after-restore', ...APP), 'image', 'platform/setup:1.0.0'), /by its digest/],
]

test.each(brokenRestore)('a restore that breaks the rule "%s" is found', async (rule, change, text) => {
  const objects = structuredClone(objectsOf('restore'))
  change(objects)
  const findings = (await verify(objects, true)).filter((finding) => finding.rule === rule)
  expect(findings.map(({ where, problem }) => `${where}: ${problem}`).join('\n')).toMatch(text)
})

const wave = (all: readonly Manifest[], place: string, value: string) =>
  set(at(all, place, 'metadata'), 'annotations', { 'argocd.argoproj.io/sync-wave': value })
const brokenWaves: readonly [why: string, change: (objects: Manifest[]) => void, finding: string][] = [
  ['a server before its certificate', (all) => wave(all, 'Certificate/nats', '0'), 'StatefulSet/nats'],
  ['a server before its policy', (all) => wave(all, 'NetworkPolicy/nats', '-2'), 'StatefulSet/nats'],
  ['a cluster before its backup store', (all) => wave(all, 'ObjectStore/postgres-backup', '0'), 'Cluster/postgres'],
  ['a Job before its Secret', (all) => wave(all, 'ExternalSecret/mining-migrator', '0'), 'Job/migrate-mining'],
  ['a migration before the roles', (all) => wave(all, 'Job/roles', '0'), 'Job/migrate-mining'],
  ['a service before its migration', (all) => wave(all, 'Deployment/mining', '-2'), 'Deployment/mining'],
  ['everything before the namespace', (all) => wave(all, 'Namespace/platform', '-3'), 'ResourceQuota/platform'],
  [
    'a volume that nobody uses yet',
    (all) => wave(all, 'PersistentVolumeClaim/stream-backups', '-4'),
    'PersistentVolumeClaim/stream-backups',
  ],
]

test.each(brokenWaves)(
  'the first sync of Argo CD does not end with %s, and that is found',
  async (_, change, place) => {
    const objects = structuredClone(objectsOf('tests/everything'))
    change(objects)
    const findings = (await verify(objects, false)).filter(({ rule }) => rule === 'waves')
    expect(findings.map(({ where }) => where)).toContain(place)
  },
)

test('the first sync of Argo CD ends: what pods mount, servers, roles and streams, migrations, services', () => {
  const { waves, stuck } = simulateFirstSync(objectsOf('tests/everything'))
  expect(stuck).toEqual([])
  const at = (place: string) => waves.findIndex(({ healthy }) => healthy.includes(place))
  const order = [
    'Namespace/platform',
    'ExternalSecret/nats-users',
    'StatefulSet/nats',
    'Job/provision',
    'Job/migrate-mining',
    'Deployment/mining',
  ]
  expect(order.map(at)).toEqual([0, 1, 2, 3, 4, 5])
  expect(waves.flatMap(({ healthy }) => healthy)).toHaveLength(objectsOf('tests/everything').length)
})

test('a restored cluster is the cluster of the platform, from its archive, under its own name and certificate', () => {
  const { bootstrap, externalClusters, certificates, ...restored } = at(
    objectsOf('restore'),
    'Cluster/postgres-restored',
    'spec',
  ) as Record<string, unknown>
  const { certificates: first, ...spec } = at(objectsOf('production'), 'Cluster/postgres', 'spec') as Record<
    string,
    unknown
  >
  expect(restored).toEqual(spec)
  expect([first, certificates]).toMatchObject([
    { serverTLSSecret: 'postgres-tls' },
    { serverTLSSecret: 'postgres-restored-tls' },
  ])
  expect(bootstrap).toMatchObject({ recovery: { source: 'postgres' } })
  expect(externalClusters).toMatchObject([
    { name: 'postgres', plugin: { parameters: { barmanObjectName: 'postgres-backup', serverName: 'postgres' } } },
  ])
})

const lacking = (objects: readonly Manifest[], entryOf?: (secret: string, entry: string) => string) =>
  judgeNeeds(objects, entryOf)
    .filter(({ need, state }) => need.required && state !== 'set')
    .map(({ need, state }) => `${need.name}: ${state}`)

test('an installation is told of every value that is required and still an example, and of every secret that it left empty', () => {
  const objects = structuredClone(objectsOf('production'))
  expect(lacking(objects)).toEqual([
    'SVC_PUBLIC_URL: example',
    'SVC_TRUSTED_PROXIES: example',
    'SVC_ADMIN_WALLETS: example',
    'SVC_REVIEWER_WALLETS: example',
    'hostnames of the route: example',
    'dnsNames of the public certificate: example',
    'deployment.json: example',
    'destinationPath: example',
    'digests of the images: example',
  ])
  const filled = JSON.parse(
    JSON.stringify(objects)
      .replaceAll('.example.com', '.hub.test')
      .replaceAll('192.0.2.0/24', '10.8.0.0/16')
      .replaceAll('platform-postgres-example', 'hub-postgres')
      .replaceAll(`0x${'0'.repeat(40)}`, `0x${'ab'.repeat(20)}`)
      .replaceAll(`sha256:${'0'.repeat(64)}`, `sha256:${'cd'.repeat(32)}`),
  ) as Manifest[]
  expect(lacking(filled)).toEqual([])
  expect(lacking(filled, () => 'given')).toEqual([])
  expect(lacking(filled, (_, entry) => (entry === 'HUB_RPC_URL' ? '' : 'given'))).toEqual(['HUB_RPC_URL: missing'])
})

test('every need exists: a setting of a process, an entry of a Secret, an operator whose objects are applied', () => {
  const settings = new Set(contracts.flatMap(settingsOfProcess).map(({ env }) => env))
  expect(SETTING_NEEDS.filter(({ name }) => !settings.has(name))).toEqual([])
  const secrets = secretsOf(contracts).flatMap(({ name, keys }) => keys.map((key) => `${name}/${key.name}`))
  const needed = SECRET_NEEDS.flatMap(({ name, holders }) => holders.map((holder) => `${holder}/${name}`))
  expect(needed.filter((entry) => !secrets.includes(entry))).toEqual([])
  for (const need of [...SETTING_NEEDS, ...SECRET_NEEDS, ...OBJECT_NEEDS, ...OPERATORS]) expect(need.why).not.toBe('')
  const released = [...objectsOf('production'), ...objectsOf('testnet')]
  const custom = released.map(({ apiVersion }) => apiVersion.split('/')[0] ?? '').filter((group) => /\./.test(group))
  const foreign = new Set(custom.filter((group) => !group.endsWith('.k8s.io') || group.startsWith('gateway.')))
  expect([...foreign].sort()).toEqual(OPERATORS.flatMap(({ groups }) => groups).sort())
})

test('an installation of production is told of digests that are left in what restores it', async () => {
  const digest = `registry.example.net/x@sha256:${'1'.repeat(64)}`
  const release = (objects: Manifest[], restore: boolean) => {
    for (const object of objects) {
      const isRestore = ['restore-files', 'after-restore'].includes(object.metadata.name)
      const containers =
        object.kind === 'CronJob'
          ? part(object, 'spec', 'jobTemplate', ...POD, 'containers')
          : ['Deployment', 'StatefulSet', 'Job'].includes(object.kind)
            ? part(object, ...POD, 'containers')
            : []
      if (restore || !isRestore) for (const one of containers as { image: string }[]) one.image = digest
    }
    return lacking(objects).filter((line) => line.startsWith('digests'))
  }
  const installation = await installationOf('production')
  const objects = structuredClone(objectsOf(installation?.name ?? ''))
  expect(release(objects, false)).toEqual(['digests of the images: example'])
  expect(release(objects, true)).toEqual([])
})

test('services meet at NATS alone, and only those that must reach the outside do', () => {
  const edges = reachability(objectsOf('production')) ?? []
  const services = ['identity', 'mining', 'subscriptions', 'mandates', 'keeper', 'hl-leg', 'gallery', 'gateway']
  for (const from of services)
    for (const to of services) expect(edges.filter((edge) => edge.startsWith(`${from} → ${to}:`))).toEqual([])
  expect(edges.filter((edge) => edge.startsWith('gateway → '))).toEqual([
    'gateway → kube-system/:53',
    'gateway → nats:4222',
    'gateway → otel-collector:4318',
    'gateway → postgres:5432',
    'gateway → redis:6379',
  ])
})

test('no worker acts in production, and each go-live component turns on exactly one', () => {
  const settings = (name: string) =>
    Object.entries(configOf(objectsOf(name))).filter(([key]) => key.endsWith('_DRY_RUN'))
  expect(settings('production')).toEqual([])
  const all = settings('tests/everything')
  expect(all.length).toBeGreaterThanOrEqual(10)
  expect(all.every(([, value]) => value === '0')).toBe(true)
})

test('a worker that refuses or misses a table fails its Job at once, and a drained node does not', () => {
  const single = at(objectsOf('production'), 'CronJob/hl-leg-stop-line', 'spec')
  expect(single).toMatchObject({
    suspend: true,
    jobTemplate: {
      spec: {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
            { action: 'FailJob', onExitCodes: { containerName: 'app', operator: 'In', values: [1, 2] } },
          ],
        },
      },
    },
  })
})
