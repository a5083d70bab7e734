import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { postgresBinaries, postgresUser, serverBinary, systemEnvironment } from '@svc/servers'
import type { PodSpec } from './objects.ts'
import type { Resolved } from './plan.ts'
import { pathInRelease } from './release.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** A process that stands for a container. */
export interface Program {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stopSignal: 'SIGTERM' | 'SIGINT'
  /** Returns the process that runs a command within the container; default: the command itself. */
  readonly inside?: (command: readonly string[]) => readonly string[]
  /** Kills the container, where killing the process that stands for it is not enough. */
  readonly kill?: () => void
}

export interface Images {
  /** Where a container sees its volumes: see `resolveContainer`. */
  readonly paths: 'of the pod' | 'mounted'
  /** Returns the user of a container, who alone reads and writes its volumes. */
  userOf(pod: PodSpec): User
  /** Returns the process of a container; prepares what the entry point of its image prepares. */
  programOf(pod: PodSpec, container: Resolved, address: string): Promise<Program>
}

export interface User {
  readonly uid: number
  readonly gid: number
}

/** The user of this process. */
export const RUNNER: User = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

/** Returns the image of a pod. */
export const imageOf = ({ containers }: PodSpec): string => containers[0]?.image ?? ''

/** Values that the last stage of the Dockerfile sets. */
function imageEnvironment(code: string): Record<string, string> {
  const stage = readFileSync(join(code, 'infra/docker/Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .at(-1)
  const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(stage ?? '')?.[1] ?? ''
  const pairs = [...block.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  return Object.fromEntries(pairs.filter(([, value = '']) => !value.startsWith('$')))
}

async function createCluster(folder: string, env: Resolved['env'], prefix: readonly string[]): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const [command, ...args] = [...prefix, postgresBinaries().initdb, '-D', folder, '-U', 'postgres']
  const access = ['--pwfile', env['POSTGRES_PASSWORD_FILE'] ?? '', '--auth=scram-sha-256', '--locale=C.UTF-8']
  await run(command, [...args, ...access, '-E', 'UTF8', '--no-sync'], { env: systemEnvironment() })
  // As the image does: any host that has a password.
  await appendFile(join(folder, 'pg_hba.conf'), 'host all all all scram-sha-256\n')
}

/** Postgres as its image starts it: makes the data at the first start, listens on all interfaces of the pod. */
async function postgresProgram({ env, args }: Resolved, address: string): Promise<Program> {
  const folder = env['PGDATA'] ?? ''
  const { postgres } = postgresBinaries()
  const { prefix } = postgresUser(dirname(folder), folder, postgres)
  if (!existsSync(join(folder, 'PG_VERSION'))) await createCluster(folder, env, prefix)
  // A path below the data folder may be too long for a socket.
  const own = ['-c', `listen_addresses=${address}`, '-c', 'unix_socket_directories=']
  return {
    argv: [...prefix, postgres, '-D', folder, ...args.slice(1), ...own],
    env: systemEnvironment(),
    cwd: root,
    stopSignal: 'SIGINT',
  }
}

/**
 * Stands for the images of an overlay: those of the platform run this code, or the folder that `code` has for their tag; NATS, Redis
 * and Postgres run the programs of this machine.
 */
export function localImages(dataDir: string, code: Readonly<Record<string, string>> = {}): Images {
  const foreign = async (name: 'nats-server' | 'redis-server', args: readonly string[], env: Resolved['env']) => {
    const binary = await serverBinary(name, dataDir, () => {})
    const program = {
      env: { ...systemEnvironment(), ...binary.env, ...env },
      cwd: root,
      stopSignal: 'SIGTERM',
    } as const
    return { argv: [binary.path, ...args], ...program }
  }
  const own = (image: string, tag: string, { command, args, env }: Resolved, address: string): Program => {
    const cwd = code[tag] ?? root
    const words = command.length > 0 ? command : ['node', `services/${image}/src/main.ts`]
    const ofImage: Record<string, string> = image === 'setup' ? {} : imageEnvironment(cwd)
    for (const name of ['SVC_HOST', 'SVC_INTERNAL_HOST']) if (ofImage[name] === '0.0.0.0') ofImage[name] = address
    return {
      argv: [
        ...words.map((word, index) => (index === 0 && word === 'node' ? process.execPath : pathInRelease(cwd, word))),
        ...args,
      ],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...ofImage, ...env },
      cwd,
      stopSignal: 'SIGTERM',
    }
  }
  return {
    paths: 'of the pod',
    userOf: () => RUNNER,
    programOf: async (pod, container, address) => {
      const image = imageOf(pod)
      const [name = '', tag = ''] = image.split(':')
      const [, ofPlatform] = /^platform\/(.+)$/.exec(name) ?? []
      if (ofPlatform !== undefined) return own(ofPlatform, tag, container, address)
      if (name === 'nats') return foreign('nats-server', container.args, container.env)
      if (name === 'redis')
        return foreign('redis-server', [...container.args.slice(1), '--bind', address], container.env)
      if (name === 'postgres') return postgresProgram(container, address)
      throw new Error(`${image}: no program stands for this image: add it to tools/manifest-runner/images.ts.`)
    },
  }
}
