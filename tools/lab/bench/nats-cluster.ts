import { startNatsCluster, type Secrets } from '@svc/servers'
import { PROVISIONER } from '@svc/service'
import { natsUsersOf } from '@svc/tools/dev/access.ts'
import { prepareStreams } from '@svc/tools/dev/storage.ts'

/** Starts three NATS nodes on this machine with the users of a platform, and three copies of each of its streams. */
export async function startCluster(
  folder: string,
  secrets: Secrets,
): Promise<{ readonly url: string; readonly pids: readonly number[] } & AsyncDisposable> {
  const cluster = await startNatsCluster({ folder, users: natsUsersOf(secrets) })
  const { url, nodes, stop } = cluster
  try {
    await prepareStreams(url, secrets.nkey(PROVISIONER).seed, { replicas: nodes.length })
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pids: nodes.flatMap((node) => node.pid() ?? []), [Symbol.asyncDispose]: stop }
}
