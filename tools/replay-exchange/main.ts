import { parseArgs } from 'node:util'
import { datasets, startReplayExchange, type Dataset, type ReplayOptions } from '@svc/replay-exchange'

const help = `Usage: node tools/replay-exchange/main.ts [options]

  --dataset NAME   ${datasets.join(', ')} (default synthetic; the others read MARKET_REPLAY_DIR)
  --recording FILE file of the data set packed, in that folder
  --venues LIST    venues to serve, separated by commas (default: all of the data set)
  --port N         loopback port (default 8090)
  --speed N        simulated seconds per real second, 0 to stand still (default 1)
  --start TIME     where simulated time begins, as in 2026-01-05T00:00:00.000Z
  --seed N         seed of the synthetic universe (default 1)
  --tokens N       tokens of the synthetic universe, 30 to 5000 (default 300)
  --no-lively      the synthetic universe without its standing gaps, and with as many crises as it is large
  --no-limits      do not enforce the venues' request limits
`

class UsageProblem extends Error {}

function read(args: readonly string[]): ReplayOptions | null {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      dataset: { type: 'string', default: 'synthetic' },
      recording: { type: 'string' },
      venues: { type: 'string' },
      port: { type: 'string', default: '8090' },
      speed: { type: 'string', default: '1' },
      start: { type: 'string' },
      seed: { type: 'string', default: '1' },
      tokens: { type: 'string', default: '300' },
      limits: { type: 'boolean', default: true },
      lively: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const dataset = datasets.find((name): name is Dataset => name === values.dataset)
  if (dataset === undefined) throw new UsageProblem(`--dataset must be one of ${datasets.join(', ')}.`)
  const startAt = values.start === undefined ? undefined : Date.parse(values.start)
  if (Number.isNaN(startAt)) throw new UsageProblem('--start must be a time such as 2026-01-05T00:00:00.000Z.')
  return {
    dataset,
    replayDir: process.env['MARKET_REPLAY_DIR'] ?? null,
    port: numberOf('port', values.port, 65_535),
    speed: numberOf('speed', values.speed, 6_000),
    seed: numberOf('seed', values.seed, 2_147_483_647),
    tokens: numberOf('tokens', values.tokens, 5_000),
    limits: values.limits,
    lively: values.lively,
    ...(values.recording === undefined ? {} : { recording: values.recording }),
    ...(values.venues === undefined ? {} : { venues: values.venues.split(',') }),
    ...(startAt === undefined ? {} : { startAt }),
  }
}

function numberOf(name: string, text: string, max: number): number {
  const value = Number(text)
  if (text === '' || !(value >= 0 && value <= max)) throw new UsageProblem(`--${name} must be from 0 to ${max}.`)
  return value
}

try {
  const options = read(process.argv.slice(2))
  if (options === null) process.stdout.write(help)
  else {
    const exchange = await startReplayExchange(options)
    for (const venue of [...exchange.feed.venues, ...exchange.regulated]) {
      console.log(`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}=${exchange.venueUrl(venue)}`)
    }
    console.log(`Time is ${new Date(exchange.clock.now()).toISOString()}; steer with ${exchange.url}/control/clock`)
    // Ends with the program that started it, even if that one is killed.
    for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
      process.once(signal, () => {
        if (process.connected) process.disconnect()
        void exchange.stop()
      })
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'It failed.'}\n`)
  process.exitCode = 1
}
