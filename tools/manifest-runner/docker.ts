import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { imageOf, RUNNER, type Images, type Program, type User } from './images.ts'
import type { PodSpec } from './objects.ts'
import type { Resolved } from './plan.ts'

const HOSTS = ['SVC_HOST', 'SVC_INTERNAL_HOST']
const MEMORY = /^(\d+)([KMG])i$/

/**
 * Images of servers: arguments that make them listen at the address of their pod alone, as pods share the network of the machine,
 * and the signal that their image names for a stop.
 */
const SERVERS: Readonly<
  Record<
    string,
    { readonly listen: (address: string) => readonly string[]; readonly stopSignal: Program['stopSignal'] }
  >
> = {
  nats: { listen: () => [], stopSignal: 'SIGTERM' },
  redis: { listen: (address) => ['--bind', address], stopSignal: 'SIGTERM' },
  postgres: { listen: (address) => ['-c', `listen_addresses=${address}`], stopSignal: 'SIGINT' },
}

/** Returns the user that a pod names. Only root may give files to another user: else containers run as the user of the runner. */
function userOf({ securityContext: { runAsUser, runAsGroup } }: PodSpec): User {
  return RUNNER.uid !== 0 || runAsUser === undefined ? RUNNER : { uid: runAsUser, gid: runAsGroup ?? runAsUser }
}

/** Returns the arguments of `docker run` by which a container has the user, the rights, the memory and the volumes of its pod. */
function bounds(pod: PodSpec, { mounts }: Resolved): string[] {
  const [container] = pod.containers
  const { uid, gid } = userOf(pod)
  const { readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities } = container?.securityContext ?? {}
  const [, size, unit = ''] = MEMORY.exec(container?.resources.limits.memory ?? '') ?? []
  return [
    `--user=${uid}:${gid}`,
    ...(readOnlyRootFilesystem === true ? ['--read-only'] : []),
    ...(allowPrivilegeEscalation === false ? ['--security-opt=no-new-privileges'] : []),
    ...(capabilities?.drop ?? []).map((one) => `--cap-drop=${one}`),
    ...(size === undefined ? [] : [`--memory=${size}${unit}`, `--memory-swap=${size}${unit}`]),
    ...mounts.map(({ folder, path, readOnly }) => `--volume=${folder}:${path}${readOnly ? ':ro' : ''}`),
  ]
}

/**
 * Runs the images of an overlay in the Docker engine of this machine, which must have them: `tools/dev/build-images.ts` builds
 * those of the platform. Containers share the network of the machine, in which each pod has an address of the loopback interface.
 */
export function dockerImages(): Images {
  return {
    paths: 'mounted',
    userOf,
    programOf: async (pod, container, address) => {
      const image = imageOf(pod)
      const server = SERVERS[image.split(':')[0] ?? '']
      const name = `svc-${address.replaceAll('.', '-')}-${randomUUID().slice(0, 8)}`
      const env = {
        ...(server === undefined ? Object.fromEntries(HOSTS.map((host) => [host, address])) : {}),
        ...container.env,
      }
      const [entry, ...words] = container.command
      return {
        argv: [
          'docker',
          'run',
          '--rm',
          `--name=${name}`,
          '--network=host',
          '--no-healthcheck',
          ...bounds(pod, container),
          // Values stay out of the list of processes: the client reads them from its own environment.
          ...Object.keys(env).map((key) => `--env=${key}`),
          ...(entry === undefined ? [] : [`--entrypoint=${entry}`]),
          image,
          ...words,
          ...container.args,
          ...(server?.listen(address) ?? []),
        ],
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DOCKER_HOST: process.env['DOCKER_HOST'], ...env },
        cwd: '/',
        stopSignal: server?.stopSignal ?? 'SIGTERM',
        inside: (command) => ['docker', 'exec', name, ...command],
        kill: () => void execFile('docker', ['kill', name], () => {}),
      }
    },
  }
}
