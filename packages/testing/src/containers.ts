import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers'

const images = { postgres: 'postgres:18.4-alpine', redis: 'redis:8.0.6-alpine', nats: 'nats:2.15.1-alpine' }
const startupMs = 60_000
const password = 'test'

interface Given {
  readonly postgresUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly natsUrl: string | null
}

/** Starts Postgres and Redis as containers unless they are given by URL. */
export async function startContainers({ postgresUrl, redisUrl, natsUrl }: Given) {
  const started: StartedTestContainer[] = []
  const stop = async () => {
    await Promise.allSettled(started.map((container) => container.stop()))
  }
  const run = async (container: GenericContainer, port: number) => {
    const running = await container.withExposedPorts(port).withStartupTimeout(startupMs).start()
    started.push(running)
    return `${running.getHost()}:${running.getMappedPort(port)}`
  }
  const postgres = new GenericContainer(images.postgres)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    // The image starts Postgres twice: to create the cluster, then to serve.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
  const redis = new GenericContainer(images.redis).withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
  const results = await Promise.allSettled([
    postgresUrl ?? run(postgres, 5432).then((address) => `postgres://postgres:${password}@${address}/postgres`),
    redisUrl ?? run(redis, 6379).then((address) => `redis://${address}`),
  ])
  const [postgresResult, redisResult] = results
  if (postgresResult.status === 'rejected' || redisResult.status === 'rejected') {
    await stop()
    throw results.find((result) => result.status === 'rejected')?.reason
  }
  return { kind: 'containers' as const, postgresUrl: postgresResult.value, redisUrl: redisResult.value, natsUrl, stop }
}

/** Starts a NATS container with the given configuration, which must listen on 0.0.0.0:4222. */
export async function startNatsContainer(config: string): Promise<{ url: string; stop(): Promise<void> }> {
  const container = await new GenericContainer(images.nats)
    .withCopyContentToContainer([{ content: config, target: '/etc/nats/test.conf' }])
    .withCommand(['-c', '/etc/nats/test.conf'])
    .withExposedPorts(4222)
    .withStartupTimeout(startupMs)
    .withWaitStrategy(Wait.forLogMessage('Server is ready'))
    .start()
  return {
    url: `nats://${container.getHost()}:${container.getMappedPort(4222)}`,
    stop: async () => void (await container.stop()),
  }
}
