import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { contracts } from '@svc/contracts/all'
import { identity } from '@svc/contracts/identity'
import { researchReports } from '@svc/contracts/research-reports'
import type { Contract } from '@svc/contract'
import { freePort, openDataFolder, serverBinary } from '@svc/servers'
import { openBus, openLog, patiently, PROVISIONER, provision } from '@svc/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretsOf } from '#generate/deployment/secrets.ts'
import { render } from '#k8s-verify/render.ts'
import { writeK8sSecrets } from './k8s-secrets.ts'

const root = join(import.meta.dirname, '../..')
const path = mkdtempSync(join(tmpdir(), 'svc-k8s-'))
const nodes: ChildProcess[] = []
/** Three nodes agree late on a busy machine. */
const CLUSTER_MS = 150_000
beforeAll(() => {
  const folder = openDataFolder(path)
  try {
    writeK8sSecrets(folder)
  } finally {
    folder.release()
  }
})
afterAll(() => {
  for (const node of nodes) node.kill('SIGKILL')
  rmSync(path, { recursive: true, force: true })
})
const valueOf = (secret: string, key: string) => readFileSync(join(path, secret, key), 'utf8')

test('a new installation has every entry of every Secret, and a value for each required one', () => {
  const byHand = ['postgres-backup']
  for (const { name, keys } of secretsOf(contracts)) {
    expect(readdirSync(join(path, name)).sort()).toEqual(keys.map((key) => key.name).sort())
    const missing = keys.filter((key) => key.required && valueOf(name, key.name) === '').map((key) => key.name)
    if (!byHand.includes(name)) expect({ name, missing }).toEqual({ name, missing: [] })
  }
})

test('the folder is applied as it is, and names what the workloads mount', async () => {
  const objects = await render(path)
  expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort()).toEqual(
    secretsOf(contracts)
      .map(({ name }) => `Secret/${name}`)
      .sort(),
  )
})

test('written again for another cluster, only addresses change: credentials and what an operator filled in stay', () => {
  const again = mkdtempSync(join(tmpdir(), 'svc-k8s-again-'))
  const write = (reached?: Parameters<typeof writeK8sSecrets>[1]) => {
    const folder = openDataFolder(again)
    try {
      writeK8sSecrets(folder, reached)
    } finally {
      folder.release()
    }
    return new Map(
      secretsOf(contracts).flatMap(({ name, keys }) =>
        keys.map((key) => [`${name}/${key.name}`, readFileSync(join(again, name, key.name), 'utf8')] as const),
      ),
    )
  }
  try {
    const before = write()
    const rotate = (entry: `${string}/${string}`, value: string) => {
      writeFileSync(join(again, entry), value)
      before.set(entry, value)
    }
    // As after each change of a credential, in a service that has a cluster of its own, and before a release adds a role and a user.
    const url = before.get('mining/SVC_POSTGRES_URL') ?? ''
    rotate('mining/SVC_POSTGRES_URL', url.replace('mining_app:', 'mining_app_b:').replace(/:[^:@]+@/, ':changed@'))
    rotate('market-data/SVC_POSTGRES_URL', 'postgres://market_data_app:own@postgres-market-rw:5432/platform')
    rotate('mining/SVC_NATS_SEED', 'another seed')
    rotate('identity/SVC_SESSION_SIGNING_KEY', 'another key')
    rotate('postgres-superuser/password', 'another password')
    const { mining_app, ...fewer } = JSON.parse(before.get('roles/SETUP_ROLE_PASSWORDS') ?? '') as Record<
      string,
      string
    >
    rotate('roles/SETUP_ROLE_PASSWORDS', JSON.stringify({ ...fewer, mining_app_b: 'changed', identity_app: 'changed' }))
    const [first = '', second = '', ...users] = (before.get('redis-users/users.acl') ?? '').split('\n')
    rotate('redis-users/users.acl', [first.replace('#', '#00 #'), ...users].join('\n'))
    writeFileSync(join(again, 'keeper/HUB_RPC_URL'), 'https://rpc.example.com')
    const after = write({ cluster: 'postgres-restored' })
    const passwords = JSON.parse(after.get('roles/SETUP_ROLE_PASSWORDS') ?? '') as Record<string, string>
    expect(passwords).toMatchObject({ mining_app, mining_app_b: 'changed', identity_app: 'changed' })
    before.set('roles/SETUP_ROLE_PASSWORDS', JSON.stringify(passwords))
    const lines = (after.get('redis-users/users.acl') ?? '').split('\n')
    expect(lines).toEqual([first.replace('#', '#00 #'), ...users.slice(0, -1), second, ''])
    before.set('redis-users/users.acl', lines.join('\n'))
    expect(after.get('keeper/HUB_RPC_URL')).toBe('https://rpc.example.com')
    const changed = [...before].filter(([entry, value]) => after.get(entry) !== value).map(([entry]) => entry)
    const addresses = [...before].filter(([, value]) => value.includes('@postgres-rw:')).map(([entry]) => entry)
    expect(changed.sort()).toEqual([...addresses, 'keeper/HUB_RPC_URL'].sort())
    expect(addresses.length).toBeGreaterThan(20)
    for (const entry of addresses)
      expect(after.get(entry)).toBe(before.get(entry)?.replace('@postgres-rw:', '@postgres-restored-rw:'))
    // The next run, as of an upgrade, stays with that cluster.
    expect(write()).toEqual(after)
    rmSync(join(again, 'gallery/SVC_POSTGRES_URL'))
    expect(write()).toEqual(after)
  } finally {
    rmSync(again, { recursive: true, force: true })
  }
})

test('no service has the credential of another', () => {
  const holders = new Map<string, string[]>()
  for (const { name } of contracts)
    for (const key of readdirSync(join(path, name))) {
      const value = valueOf(name, key)
      if (value !== '') holders.set(value, [...(holders.get(value) ?? []), name])
    }
  expect(holders.size).toBeGreaterThan(contracts.length * 2)
  expect([...holders.values()].filter((names) => names.length > 1)).toEqual([])
})

/** Starts the nodes of the cluster with the file that the manifests mount, on ports of this machine. */
async function startCluster(): Promise<string> {
  const binary = await serverBinary('nats-server', path, () => {})
  const ports = await Promise.all(
    [0, 1, 2].map(async () => [await freePort(), await freePort(), await freePort()] as const),
  )
  const users = readdirSync(join(path, 'nats-users')).map((key) => [key, valueOf('nats-users', key)])
  const mounted = (name: string) => readFileSync(join(root, 'k8s/platform/nats', name), 'utf8')
  const config = mounted('nats.conf')
    .replace("include './tls.conf'", mounted('tls.conf'))
    .replace("include './cluster.conf'", mounted('cluster.conf'))
  for (const [node, [client, cluster, monitor]] of ports.entries()) {
    const local = config
      .replaceAll('0.0.0.0', '127.0.0.1')
      .replace('port: 4222', `port: ${client}`)
      .replace(':8222', `:${monitor}`)
      .replace('127.0.0.1:6222', `127.0.0.1:${cluster}`)
      .replaceAll(/nats-(\d)\.nats:6222/g, (_, other: string) => `127.0.0.1:${ports[Number(other)]?.[1]}`)
      .replace('"/data"', JSON.stringify(join(path, `data-${node}`)))
    const file = join(path, `node-${node}.conf`)
    writeFileSync(file, local)
    const env = { PATH: process.env['PATH'], ...binary.env, ...Object.fromEntries(users), POD_NAME: `nats-${node}` }
    nodes.push(spawn(binary.path, ['-c', file], { env, stdio: 'ignore' }))
  }
  return ports.map(([client]) => `nats://127.0.0.1:${client}`).join(',')
}

test(
  'three nodes with the mounted configuration keep three copies of each stream, and one may be lost',
  async () => {
    const url = await startCluster()
    const own = [identity, researchReports] as unknown as readonly Contract[]
    const log = openLog(PROVISIONER, 'silent')
    const bus = await openBus({ url, name: PROVISIONER, seed: valueOf(PROVISIONER, 'SETUP_NATS_SEED'), log })
    try {
      const copies = async () => {
        const manager = await jetstreamManager(bus.connection, { checkAPI: false })
        const names = ['EVT_IDENTITY', 'OBJ_reports']
        const infos = await Promise.all(names.map((name) => manager.streams.info(name)))
        return infos.map(({ config, cluster }) => ({
          replicas: config.num_replicas,
          leader: cluster?.leader ?? '',
          current: (cluster?.replicas ?? []).filter(({ current }) => current).length,
        }))
      }
      const until = (holds: (found: Awaited<ReturnType<typeof copies>>) => boolean) =>
        patiently(
          'JetStream',
          async () => {
            const found = await copies()
            if (!holds(found)) throw Object.assign(new Error('timeout'), { name: 'TimeoutError' })
            return found
          },
          CLUSTER_MS,
        )
      // The next key of a user is accepted before the rotation begins.
      const { nkeys } = JSON.parse(readFileSync(join(path, 'secrets.json'), 'utf8')) as {
        nkeys: Record<string, string>
      }
      const next = nkeys[`${PROVISIONER}-next`] ?? ''
      await (await openBus({ url, name: PROVISIONER, seed: next, log, patienceMs: 10_000 })).close()
      await patiently('JetStream', () => provision(bus, own, 1), CLUSTER_MS)
      await patiently('JetStream', () => provision(bus, own, 3), CLUSTER_MS)
      // A stream whose new copies are not current yet needs the node that has it.
      const before = await until((found) => found.every(({ current }) => current === 2))
      expect(before.map(({ replicas }) => replicas)).toEqual([3, 3])
      const lost = before[0]?.leader ?? ''
      nodes[Number(lost.at(-1))]?.kill('SIGKILL')
      const [after] = await until(([first]) => first !== undefined && first.leader !== lost && first.leader !== '')
      expect(after?.replicas).toBe(3)
    } finally {
      await bus.close()
    }
  },
  4 * CLUSTER_MS,
)
