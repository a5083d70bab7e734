import { pacedClock } from '@svc/service'
import { start } from '#main.ts'

/**
 * Runs the service by a clock that showed `TEST_CLOCK_AT` when this machine's clock showed `TEST_CLOCK_REAL`, and runs
 * `TEST_CLOCK_SPEED` times as fast.
 */
const figure = (name: string) => Number(process.env[name])
const [at, real, speed] = [figure('TEST_CLOCK_AT'), figure('TEST_CLOCK_REAL'), figure('TEST_CLOCK_SPEED')]
const clock = pacedClock(
  () => at + (Date.now() - real) * speed,
  () => speed,
)
const service = await start(process.env, { clock })
process.send?.('ready')
process.on('disconnect', () => void service.stop().finally(() => process.exit(0)))
