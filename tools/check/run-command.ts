import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export interface CommandResult {
  readonly code: number
  readonly output: string
  readonly durationMs: number
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: Record<string, string>
  /** `true` prints the output at once instead of collecting it. */
  readonly live?: boolean
  /** `true` leaves the cores to whatever else wants them. */
  readonly idle?: boolean
  readonly timeoutMs: number
}

const outputMax = 200_000

/**
 * Runs one program without a shell, with this Node and the workspace's binaries first on PATH.
 * Never rejects: a program that is missing, is killed or takes too long gets a code other than 0.
 */
export function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [program = '', ...args] = command
  const started = performance.now()
  const bins = [dirname(process.execPath), join(options.cwd, 'node_modules/.bin')]
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, PATH: [...bins, process.env['PATH'] ?? ''].join(delimiter) },
    stdio: options.live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  // Programs that it starts inherit the priority.
  if (options.idle === true && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-outputMax)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal)
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const timer = setTimeout(() => {
    output += `\n${program} was stopped after ${options.timeoutMs / 1000} s\n`
    stop('SIGKILL')
  }, options.timeoutMs)
  return new Promise((resolve) => {
    const finish = (code: number): void => {
      clearTimeout(timer)
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve({ code, output, durationMs: performance.now() - started })
    }
    child.once('error', (error) => {
      output += `${program}: ${error.message}\n`
      finish(127)
    })
    child.once('close', (code) => finish(code ?? 1))
  })
}
