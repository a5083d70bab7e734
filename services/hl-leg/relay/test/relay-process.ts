import { systemClock } from '@svc/service'
import { start, yieldProcessor } from '#main.ts'

/** hl-relay as a process of its own, with the clock of a test: so many milliseconds beside that of the machine. */
const offsetMs = Number(process.env['CLOCK_OFFSET_MS'])
const clock = { ...systemClock, now: () => new Date(Date.now() + offsetMs) }
yieldProcessor()
const service = await start(process.env, { clock })
process.on('disconnect', () => void service.stop().then(() => process.exit()))
process.send?.('ready')
