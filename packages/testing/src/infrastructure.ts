import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServers } from '@svc/servers'

/** The servers of a test run. All three kinds have the same handles. */
export interface Infrastructure {
  readonly kind: 'given' | 'containers' | 'processes'
  /** Address of the superuser. */
  readonly postgresUrl: string
  readonly redisUrl: string
  /** Null: each test file starts its own NATS. */
  readonly natsUrl: string | null
}

export interface RunningInfrastructure extends Infrastructure {
  stop(): Promise<void>
}

const dockerProbeMs = 1_000

/** Uses servers given by URL, else starts containers if a Docker engine answers, else local processes. */
export async function startInfrastructure(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<RunningInfrastructure> {
  const { TEST_POSTGRES_URL, TEST_NATS_URL, TEST_REDIS_URL } = environment
  const natsUrl = TEST_NATS_URL ?? null
  if (TEST_POSTGRES_URL !== undefined && TEST_REDIS_URL !== undefined) {
    return { kind: 'given', postgresUrl: TEST_POSTGRES_URL, redisUrl: TEST_REDIS_URL, natsUrl, stop: async () => {} }
  }
  if (await dockerAnswers(environment)) {
    try {
      const { startContainers } = await import('./containers.ts')
      return await startContainers({ postgresUrl: TEST_POSTGRES_URL, redisUrl: TEST_REDIS_URL, natsUrl })
    } catch (error) {
      process.stderr.write(
        `containers could not be started (${error instanceof Error ? error.message : 'unknown error'}); using local processes\n`,
      )
    }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const servers = await startServers({
    dataDir,
    postgres: TEST_POSTGRES_URL ?? true,
    redis: TEST_REDIS_URL ?? true,
    nats: false,
    durable: false,
  })
  return {
    kind: 'processes',
    postgresUrl: servers.postgres.url,
    redisUrl: servers.redis.url,
    natsUrl,
    stop: async () => {
      await servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns whether a Docker engine answers a ping within a second; `TEST_INFRA=processes` skips the ping. */
function dockerAnswers(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (environment['TEST_INFRA'] === 'processes') return Promise.resolve(false)
  const host = new URL(environment['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock')
  if (host.protocol === 'unix:' && !existsSync(host.pathname)) return Promise.resolve(false)
  const target =
    host.protocol === 'unix:' ? { socketPath: host.pathname } : { host: host.hostname, port: host.port || 2375 }
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: dockerProbeMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.once('error', () => resolve(false))
    ping.once('timeout', () => ping.destroy())
    ping.end()
  })
}
