import { Outage, type Clock } from '@svc/service'

/** Waits by the clock of the service. Rejects with an outage if the run ends meanwhile; the next run starts over. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  const ended = () => {
    cancel()
    reject(new Outage('stop_line', 'the run ended before the second reading; the next run starts over'))
  }
  if (signal.aborted) ended()
  else signal.addEventListener('abort', ended, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', ended))
}

/** Rejects with an outage if work takes longer than `ms` of real time: one that hangs must not hold up the others. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Outage('stop_line', `${what} took longer than ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
