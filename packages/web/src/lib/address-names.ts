import { openStore } from './store.ts'

/** Longest name, in characters. */
export const NAME_MAX = 64
/** Names that are kept at most. */
const NAMES_MAX = 1_000
const KEY = 'address_names'

/** Names by chain and address in lower case, such as `31337/0xab…`. */
type Names = ReadonlyMap<string, string>

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** Controls, line breaks, and marks that hide or reorder text. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns true for an address of a wallet or a contract. */
export const isAddress = (value: string): boolean => ADDRESS.test(value)

/** Returns a name as it is kept: one line of visible text without outer spaces, at most `NAME_MAX` characters; '' for none. */
export function cleanName(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(UNFIT, '').replaceAll(/ +/g, ' ').trim()
  return [...line].slice(0, NAME_MAX).join('').trim()
}

const keyOf = (chainId: number, address: string): string => `${chainId}/${address.toLowerCase()}`

/** Returns the names of a stored text; whatever is no name of an address is left out. */
export function readNames(stored: string | null): Names {
  let parsed: unknown = null
  try {
    parsed = JSON.parse(stored ?? 'null')
  } catch {
    // Somebody else wrote it: there are no names.
  }
  if (typeof parsed !== 'object' || parsed === null) return new Map()
  const entries = Object.entries(parsed).flatMap(([key, value]): [string, string][] => {
    const [chain = '', address = ''] = key.split('/')
    const name = typeof value === 'string' ? cleanName(value) : ''
    return /^\d+$/.test(chain) && isAddress(address) && name !== '' ? [[key.toLowerCase(), name]] : []
  })
  return new Map(entries.slice(-NAMES_MAX))
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // A browser that stores nothing has no names.
    return null
  }
}

const names = openStore<Names>(readNames(stored()))

// Names that another tab gave.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === KEY) names.set(readNames(newValue))
})

export const watchNames = names.subscribe

/** Returns the name that the reader gave an address of a chain; null without one. */
export const nameOf = (chainId: number, address: string): string | null =>
  names.get().get(keyOf(chainId, address)) ?? null

/** Names an address in this browser; an empty name removes it. */
export function nameAddress(chainId: number, address: string, text: string): void {
  const key = keyOf(chainId, address)
  const name = cleanName(text)
  // The newest stands last: the oldest ones go first.
  const others = [...names.get()].filter(([known]) => known !== key)
  const next = new Map([...others, ...(name === '' ? [] : [[key, name] as const])].slice(-NAMES_MAX))
  names.set(next)
  try {
    if (next.size === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(next)))
  } catch {
    // It holds until the page is left.
  }
}
