/** A device whose clock differs by less is right: an answer takes its time, and its stamp has whole seconds. */
const TOLERANCE_MS = 90_000

let offsetMs = 0

/** Takes the time of an answer as that of the service. A device whose clock is an hour off then counts by the right one. */
export function noteServerTime(date: string | null, deviceMs = Date.now()): void {
  const servedMs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(servedMs)) return
  offsetMs = Math.abs(servedMs - deviceMs) > TOLERANCE_MS ? servedMs - deviceMs : 0
}

/** Returns the present time as the service counts it, milliseconds since 1970. */
export const now = (): number => Date.now() + offsetMs

/** Returns a time of this device as the service counts it. */
export const served = (deviceMs: number): number => deviceMs + offsetMs
