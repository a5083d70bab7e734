import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { jetstreamManager } from '@nats-io/jetstream'
import { streamOf } from '@svc/contract'
import { readersOf } from '@svc/contracts/generated/readers'
import type { Servers } from '@svc/servers'
import { openBus, openLog, PROVISIONER } from '@svc/service'
import { eventually } from '@svc/testing'

const SETUP = fileURLToPath(new URL('../dev/setup.ts', import.meta.url))
const NOT_FOUND = /not found/

/**
 * Deletes the consumers of each publisher's stream one after the other, repairs, deletes the stream and repairs again, by the
 * command that an operator has. `between` runs after each loss. Servers may be killed meanwhile: each step is repeated.
 */
export async function loseStreams(
  servers: Servers,
  publishers: readonly string[],
  between: () => Promise<void>,
): Promise<void> {
  const { seed } = servers.secrets.nkey(PROVISIONER)
  const bus = await openBus({ url: servers.nats.url, name: PROVISIONER, seed, log: openLog(PROVISIONER, 'silent') })
  const manager = await jetstreamManager(bus.connection, { checkAPI: false, timeout: 5_000 })
  const lose = async (destroy: () => Promise<boolean>) => {
    // An answer may be lost with the server that gave it.
    await eventually(() =>
      destroy().catch((error: unknown) => {
        if (!(error instanceof Error && NOT_FOUND.test(error.message))) throw error
      }),
    )
    await between()
  }
  const repair = () => eventually(() => repairStreams(servers, seed))
  try {
    for (const publisher of publishers) {
      const stream = streamOf(publisher)
      for (const consumer of readersOf[publisher] ?? []) await lose(() => manager.consumers.delete(stream, consumer))
      await repair()
      await lose(() => manager.streams.delete(stream))
      await repair()
    }
  } finally {
    await bus.close()
  }
}

async function repairStreams({ postgres, nats }: Servers, seed: string): Promise<void> {
  const { PATH } = process.env
  const env = { PATH, POSTGRES_URL: postgres.url, NATS_URL: nats.url, SETUP_NATS_SEED: seed }
  await promisify(execFile)(process.execPath, [SETUP, 'repair-streams'], { env })
}
