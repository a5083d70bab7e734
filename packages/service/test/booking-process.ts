import { setTimeout as delay } from 'node:timers/promises'
import { startBooker } from './booking.ts'

/** Books as a process: with `TEST_DIES`, the process is killed inside the transaction of its first event. */
const before = async () => {
  if (process.env['TEST_DIES'] === undefined) return
  process.kill(process.pid, 'SIGKILL')
  await delay(60_000)
}

const service = await startBooker(process.env, before)
process.send?.('ready')
process.on('disconnect', () => void service.stop().finally(() => process.exit(0)))
