import { expect, test } from 'vitest'
import { builds, renderBuild } from '#k8s-verify/verify.ts'
import type { Manifest } from '#k8s-verify/manifest.ts'
import { dockerImages } from './docker.ts'
import { RUNNER } from './images.ts'
import { IGNORED_KINDS, readObjects, type Job, type Template } from './objects.ts'
import { nextMoves, planAddresses, resolveContainer, translator, verdictOf, type Counts, type Place } from './plan.ts'

const POD = { enableServiceLinks: false, automountServiceAccountToken: false }
const workload = (container: object, spec: object = {}): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'gateway' },
  spec: {
    selector: { matchLabels: { app: 'gateway' } },
    template: {
      metadata: { labels: { app: 'gateway' } },
      spec: { ...POD, ...spec, containers: [{ name: 'app', image: 'platform/gateway:dev', ...container }] },
    },
  },
})
const templateOf = (container: object, spec: object = {}) => {
  const template = readObjects([workload(container, spec)]).deployments['gateway']?.template
  if (template === undefined) throw new Error('no Deployment')
  return template.spec
}
const place: Place = {
  name: 'gateway-0001',
  namespace: 'platform',
  address: '127.20.3.9',
  folder: '/pods/gateway-0001',
  claims: { data: '/volumes/data-gateway' },
}

test('the runner interprets every field of the overlays that need no operator', async () => {
  for (const build of (await builds()).filter(({ name }) => ['local', 'ci', 'e2e'].includes(name))) {
    const objects = await renderBuild(build)
    const { deployments, jobs, cronJobs, statefulSets } = readObjects(objects)
    const read = [deployments, jobs, cronJobs, statefulSets].map((group) => Object.keys(group).length)
    const kinds = ['Deployment', 'Job', 'CronJob', 'StatefulSet']
    expect(read).toEqual(kinds.map((kind) => objects.filter((object) => object.kind === kind).length))
  }
})

test.each([
  ['a field of a container', workload({ tty: true }), /Deployment\/gateway: .*tty is not interpreted/],
  ['a field of a pod', workload({}, { hostNetwork: true }), /hostNetwork is not interpreted/],
  ['a second container', workload({}, { initContainers: [{}] }), /initContainers is not interpreted/],
  ['a probe of another protocol', workload({ livenessProbe: { grpc: { port: 1 } } }), /grpc is not interpreted/],
  ['a kind', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' } }, /Pod\/one: this kind is not interpreted/],
])('%s that the runner does not know ends the run', (_, object, problem) => {
  expect(() => readObjects([object])).toThrow(problem)
})

test('every kind that is passed over has a reason', () => {
  for (const reason of Object.values(IGNORED_KINDS)) expect(reason.length).toBeGreaterThan(10)
})

test('each Service with a virtual address and each pod of a set has an address of its own, and names lead there', () => {
  const service = (name: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: {}, ports: [{ name: 'x', port: 1, targetPort: 1 }], ...spec },
  })
  const set: Manifest = {
    ...workload({}),
    kind: 'StatefulSet',
    metadata: { name: 'nats' },
  }
  const spec = { ...(set['spec'] as object), replicas: 2, serviceName: 'nats' }
  const objects = readObjects([service('redis', {}), service('nats', { clusterIP: 'None' }), { ...set, spec }])
  const { names, free } = planAddresses(objects, '127.20.3')
  expect(names).toEqual({
    redis: '127.20.3.2',
    nats: '127.20.3.3',
    'nats-0.nats': '127.20.3.3',
    'nats-1.nats': '127.20.3.4',
  })
  expect(free[0]).toBe('127.20.3.5')
})

test('host names and mounted paths of a text lead to this machine; users, passwords and other words stay', () => {
  const names = { redis: '127.0.3.2', 'postgres-rw': '127.0.3.3', nats: '127.0.3.4', 'nats-1.nats': '127.0.3.5' }
  const translate = translator(names, '127.0.3.9', { '/etc/nats': '/pods/nats/config', '/data': '/volumes/data' })
  expect(translate('redis://redis:redis:6379@redis:6379')).toBe('redis://redis:redis:6379@127.0.3.2:6379')
  expect(translate('postgres://nats:12ab@postgres-rw.platform.svc:5432/platform')).toBe(
    'postgres://nats:12ab@127.0.3.3:5432/platform',
  )
  expect(translate('nats://nats-1.nats:6222", "nats://nats:4222')).toBe(
    'nats://127.0.3.5:6222", "nats://127.0.3.4:4222',
  )
  expect(translate('listen: "0.0.0.0:8222", a: 10.0.0.0, dir "/data", /data2, /x/data')).toBe(
    'listen: "127.0.3.9:8222", a: 10.0.0.0, dir "/volumes/data", /data2, /x/data',
  )
  expect(translate('--config /etc/nats/nats.conf')).toBe('--config /pods/nats/config/nats.conf')
})

test('a container gets its variables, Secrets and ConfigMaps as files, and nothing that it does not name', () => {
  const from = (kind: 'configMapKeyRef' | 'secretKeyRef', name: string, key: string, optional = false) => ({
    name: key,
    valueFrom: { [kind]: { name, key, optional } },
  })
  const spec = templateOf(
    {
      command: ['node', '/etc/app/main.js'],
      env: [
        { name: 'DIR', value: '/etc/app' },
        { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        from('configMapKeyRef', 'platform', 'A'),
        from('configMapKeyRef', 'platform', 'MISSING', true),
        from('secretKeyRef', 'own', 'SEED'),
      ],
      envFrom: [{ secretRef: { name: 'own' } }],
      volumeMounts: [
        { name: 'secrets', mountPath: '/etc/app' },
        { name: 'tmp', mountPath: '/tmp' },
        { name: 'data', mountPath: '/data' },
      ],
    },
    {
      volumes: [
        { name: 'secrets', secret: { secretName: 'own' } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  )
  const given = {
    configMaps: { platform: { A: 'redis://redis:6379', B: 'b' } },
    secrets: { own: { SEED: 's' }, other: { X: 'x' } },
    names: { redis: '127.20.3.2' },
  }
  expect(resolveContainer(spec, place, given)).toEqual({
    command: ['node', '/pods/gateway-0001/secrets/main.js'],
    args: [],
    env: {
      DIR: '/pods/gateway-0001/secrets',
      POD: 'gateway-0001',
      A: 'redis://127.20.3.2:6379',
      SEED: 's',
      TMPDIR: '/pods/gateway-0001/tmp',
    },
    files: { '/pods/gateway-0001/secrets/SEED': 's' },
    mounts: [
      { folder: '/pods/gateway-0001/secrets', path: '/etc/app', readOnly: false },
      { folder: '/pods/gateway-0001/tmp', path: '/tmp', readOnly: false },
      { folder: '/volumes/data-gateway', path: '/data', readOnly: false },
    ],
  })
  // An image sees its volumes where the manifest mounts them.
  expect(resolveContainer(spec, place, given, 'mounted')).toMatchObject({
    command: ['node', '/etc/app/main.js'],
    env: { DIR: '/etc/app', POD: 'gateway-0001', A: 'redis://127.20.3.2:6379', SEED: 's' },
    files: { '/pods/gateway-0001/secrets/SEED': 's' },
  })
  expect(() => resolveContainer(spec, place, { ...given, secrets: {} })).toThrow('there is no Secret own')
  const empty = { ...given, configMaps: { platform: {} } }
  expect(() => resolveContainer(spec, place, empty)).toThrow('the ConfigMap platform has no entry A')
})

test('an image runs with the user, the rights, the memory and the volumes of its pod, and no value of a variable is an argument', async () => {
  const build = (await builds()).find(({ name }) => name === 'e2e')
  if (build === undefined) throw new Error('there is no overlay e2e')
  const { deployments, statefulSets } = readObjects(await renderBuild(build))
  const commandOf = async (template: Template | undefined) => {
    if (template === undefined) throw new Error('no such workload')
    const program = await dockerImages().programOf(template.spec, resolved, place.address)
    return { ...program, words: program.argv.join(' ') }
  }
  const resolved = {
    command: ['node', 'services/gateway/src/main.ts'],
    args: ['--x'],
    env: { SVC_SEED: 'secret-value' },
    files: {},
    mounts: [{ folder: '/pods/a/seed', path: '/etc/seed', readOnly: true }],
  }
  const gateway = await commandOf(deployments['gateway']?.template)
  expect(gateway.words).toMatch(/^docker run --rm --name=svc-127-20-3-9-[0-9a-f]{8} --network=host --no-healthcheck /)
  // Only root may give the files of a pod to its user.
  const user = RUNNER.uid === 0 ? '10001:10001' : `${RUNNER.uid}:${RUNNER.gid}`
  for (const word of [`--user=${user}`, '--read-only', '--security-opt=no-new-privileges', '--cap-drop=ALL'])
    expect(gateway.argv).toContain(word)
  expect(gateway.words).toMatch(/--memory=(\d+M) --memory-swap=\1 --volume=\/pods\/a\/seed:\/etc\/seed:ro /)
  expect(gateway.words).toMatch(/--entrypoint=node platform\/gateway:dev services\/gateway\/src\/main\.ts --x$/)
  expect(gateway.words).not.toContain('secret-value')
  expect(gateway.env).toMatchObject({ SVC_SEED: 'secret-value', SVC_HOST: place.address })
  expect(gateway.inside?.(['node', '-v']).join(' ')).toMatch(/^docker exec svc-\S+ node -v$/)
  const postgres = await commandOf(statefulSets['postgres']?.template)
  expect(postgres.stopSignal).toBe('SIGINT')
  expect(postgres.words).toMatch(/ -c listen_addresses=127\.20\.3\.9$/)
})

test('a Job ends as its policy says: done, tried again, or failed at once by its exit code', () => {
  const job = (more: object) =>
    readObjects([
      {
        ...workload({}, { restartPolicy: 'Never' }),
        kind: 'Job',
        spec: { ...more, template: (workload({})['spec'] as { template: object }).template },
      },
    ]).jobs['gateway'] as Job
  const policy = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } }] }
  expect(verdictOf(job({}), 0, 0)).toBe('complete')
  expect([0, 1, 2].map((failures) => verdictOf(job({ backoffLimit: 2 }), 1, failures))).toEqual([
    'again',
    'again',
    'failed',
  ])
  expect([1, 2, 137].map((code) => verdictOf(job({ podFailurePolicy: policy }), code, 0))).toEqual([
    'failed',
    'failed',
    'again',
  ])
})

test('a rolling update of any size never has more pods than the surge allows nor fewer available than it requires', () => {
  for (const replicas of [1, 2, 5])
    for (const [maxSurge, maxUnavailable] of [
      [1, 0],
      [0, 1],
      [2, 1],
    ] as const) {
      let counts: Counts = { old: replicas, oldAvailable: replicas, fresh: 0, freshAvailable: 0 }
      for (let step = 0; counts.old > 0 || counts.freshAvailable < replicas; step += 1) {
        expect(step).toBeLessThan(50)
        const { start, stop } = nextMoves(replicas, { maxSurge, maxUnavailable }, counts)
        const { old, oldAvailable, fresh, freshAvailable } = counts
        const kept = {
          old: old - stop,
          oldAvailable: Math.min(oldAvailable, old - stop),
          fresh: fresh + start,
          freshAvailable,
        }
        expect(kept.old + kept.fresh).toBeLessThanOrEqual(replicas + maxSurge)
        expect(kept.oldAvailable + kept.freshAvailable).toBeGreaterThanOrEqual(replicas - maxUnavailable)
        // One of the new pods becomes available at a time.
        counts = { ...kept, freshAvailable: Math.min(kept.fresh, freshAvailable + 1) }
      }
    }
})
