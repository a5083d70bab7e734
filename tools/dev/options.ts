import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BREADTH_VENUES, VENUES } from '@svc/contracts/market-data/venues'
import { ServerProblem } from '@svc/servers'
import type { VenueChoice } from './venues.ts'

export interface DevOptions {
  readonly port: number
  readonly dataDir: string
  readonly isolate: boolean
  readonly venues: VenueChoice
  /** Whether the agents of the platform have a month of past. */
  readonly withHistory: boolean
  readonly help: boolean
}

const dataDirDefault = fileURLToPath(new URL('../../.data', import.meta.url))

/** Parses the command line of `npm start`. Throws `ServerProblem` for an unknown word. */
export function readOptions(args: readonly string[]): DevOptions {
  const { port, data, isolate, venues, tokens, help, 'with-history': withHistory } = parse(args)
  const number = Number(port)
  if (!/^\d+$/.test(port) || number < 1 || number > 65_535)
    throw new ServerProblem(`--port must be a number from 1 to 65535, not "${port.slice(0, 40)}".`)
  return { port: number, dataDir: data, isolate, venues: venueChoice(venues, tokens), withHistory, help }
}

function venueChoice(venues: string | undefined, tokens: string): VenueChoice {
  if (venues === undefined) {
    if (!/^\d+$/.test(tokens) || Number(tokens) < 30 || Number(tokens) > 5_000)
      throw new ServerProblem(`--tokens must be a number from 30 to 5000, not "${tokens.slice(0, 40)}".`)
    return { kind: 'replay', tokens: Number(tokens) }
  }
  const names = venues.split(',')
  const unknown = names.find((name) => !VENUES.some((venue) => venue === name))
  if (unknown !== undefined)
    throw new ServerProblem(`--venues knows ${VENUES.join(', ')}, separated by commas, not "${unknown.slice(0, 40)}".`)
  return { kind: 'live', venues: names, breadth: BREADTH_VENUES }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8080' },
        data: { type: 'string', default: dataDirDefault },
        isolate: { type: 'boolean', default: false },
        venues: { type: 'string' },
        'with-history': { type: 'boolean', default: false },
        tokens: { type: 'string', default: '300' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new ServerProblem(
      `${error instanceof Error ? error.message.split('. ')[0] : 'Wrong arguments'}: see npm start -- --help.`,
    )
  }
}
