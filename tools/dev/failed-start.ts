import { PortInUse, ServerProblem } from '@svc/servers'
import { whyNot } from '@svc/service'

/**
 * Returns what a failed start prints: one sentence for a failure that the operator can fix, the stack for a bug. `port`
 * is that of the API.
 */
export function failedStart(error: unknown, port: number): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return sentence(error, port) ?? `The platform could not start: ${stack}`
}

function sentence(error: unknown, port: number): string | null {
  if (error instanceof ServerProblem) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    return new PortInUse('the API', error instanceof Error && 'port' in error ? Number(error.port) : port).message
  if (code === 'ENOSPC' || code === '53100')
    return 'The disk of the data folder is full: free some space and run the command again.'
  return whyNot(error)
}
