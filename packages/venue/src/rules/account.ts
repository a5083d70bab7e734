/** An approved key of an account; `name` is unique within the account. */
export interface NamedAgent {
  readonly name: string
  readonly address: string
  /** Unix milliseconds; null if it does not end. */
  readonly validUntil: number | null
}

/** Returns true if a key of an account has not ended. */
export const isLiveKey = ({ validUntil }: NamedAgent, now: Date): boolean =>
  validUntil === null || validUntil > now.getTime()

/** Returns the entry of a key in an account's list; null if it is not listed or has ended. */
export const listedKey = (agents: readonly NamedAgent[] | null, key: string | null, now: Date): NamedAgent | null =>
  agents?.find((agent) => agent.address === key && isLiveKey(agent, now)) ?? null

const STANDARD = new Set(['default', 'disabled'])

/** Returns true for a mode in which the value of an account and its payments are told apart by dex. */
export const isStandardMode = (mode: string): boolean => STANDARD.has(mode)
