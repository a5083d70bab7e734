import { type Contract, type JobDeclaration } from '@svc/contract'
import { kebab, settingsOfProcess } from '#generate/deployment/settings-of-process.ts'
import { REACHES_OUTSIDE } from '#generate/deployment/workload.ts'
import type { Manifest } from './manifest.ts'

/** Returns the pods in which code of a service runs: its own, and those of single runs of its workers. */
const podsOf = ({ name, jobs }: Contract): string[] => [
  name,
  ...Object.entries<JobDeclaration>(jobs)
    .filter(([, { dryRun }]) => dryRun !== undefined)
    .map(([job]) => `${name}-${kebab(job)}`),
]

/** Returns every connection that the platform needs, from the contracts, for the workloads that an overlay has. */
export function expectedEdges(contracts: readonly Contract[], objects: readonly Manifest[]): Set<string> {
  const podKinds = ['Deployment', 'StatefulSet', 'Job', 'CronJob', 'Cluster']
  const present = new Set(objects.filter(({ kind }) => podKinds.includes(kind)).map(({ metadata }) => metadata.name))
  const operated = objects.filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => metadata.name)
  const clusters = operated.length === 0 ? ['postgres'] : operated
  const pods = (chosen: (contract: Contract) => boolean) => contracts.filter(chosen).flatMap(podsOf)
  const uses = (env: string) => (contract: Contract) =>
    settingsOfProcess(contract).some((setting) => setting.env === env)
  const onNats = [...pods(() => true), 'provision', 'after-restore']
  const migrations = contracts.filter(({ postgres }) => postgres).map(({ name }) => `migrate-${name}`)
  const edges: [from: string, to: string, ...ports: number[]][] = [
    ...[...present].map((name): [string, string, number] => [name, 'kube-system/', 53]),
    ...onNats.flatMap((name): [string, string, number][] => [
      [name, 'nats', 4222],
      [name, 'otel-collector', 4318],
    ]),
    // Services are led to another cluster while those of the first still know its name; one follows another.
    ...[...pods(({ postgres }) => postgres), ...migrations, 'roles', 'after-restore', ...clusters].flatMap((name) =>
      clusters.map((cluster): [string, string, number] => [name, cluster, 5432]),
    ),
    ['backup-streams', 'nats', 4222],
    ['restore-files', 'nats', 4222],
    ...pods(uses('SVC_REDIS_URL')).map((name): [string, string, number] => [name, 'redis', 6379]),
    ...pods(({ name }) => Object.hasOwn(REACHES_OUTSIDE, name)).map((name): [string, string, ...number[]] => [
      name,
      'outside',
      443,
      465,
      587,
    ]),
    ...contracts.map(({ name }): [string, string, number] => ['monitoring/', name, 9464]),
    ['ingress/', 'gateway', 8080],
    ['nats', 'nats', 6222],
    ['monitoring/', 'nats', 8222],
    ['keda/', 'nats', 8222],
    ['otel-collector', 'monitoring/', 4317],
    ...clusters.flatMap((name): [string, string, ...number[]][] => [
      [name, 'outside', 443, 6443],
      ['cnpg-system/', name, 5432],
    ]),
    ...operated.flatMap((name): [string, string, number][] => [
      ['cnpg-system/', name, 8000],
      ['monitoring/', name, 9187],
    ]),
  ]
  const isHere = (end: string) => end.endsWith('/') || end === 'outside' || present.has(end)
  return new Set(
    edges
      .filter(([from, to]) => isHere(from) && isHere(to))
      .flatMap(([from, to, ...ports]) => ports.map((port) => `${from} → ${to}:${port}`)),
  )
}
