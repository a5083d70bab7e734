import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ServerProblem } from '@svc/servers'

export interface DevOptions {
  readonly port: number
  readonly dataDir: string
  readonly isolate: boolean
  readonly help: boolean
}

const dataDirDefault = fileURLToPath(new URL('../../.data', import.meta.url))

/** Reads the command line of `npm start`. Throws `ServerProblem` for anything it does not know. */
export function readOptions(args: readonly string[]): DevOptions {
  const { port, data, isolate, help } = parse(args)
  const number = Number(port)
  if (!/^\d+$/.test(port) || number < 1 || number > 65_535)
    throw new ServerProblem(`--port must be a number from 1 to 65535, not "${port.slice(0, 40)}".`)
  return { port: number, dataDir: data, isolate, help }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8080' },
        data: { type: 'string', default: dataDirDefault },
        isolate: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new ServerProblem(
      `${error instanceof Error ? error.message.split('. ')[0] : 'Wrong arguments'}: see npm start -- --help.`,
    )
  }
}
