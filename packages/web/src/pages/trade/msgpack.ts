/** What an action of the venue consists of. */
export type Packed = string | number | boolean | readonly Packed[] | { readonly [key: string]: Packed }

const utf8 = new TextEncoder()

/** Encodes a value as MessagePack in the order of its members, with the shortest form of each length and integer. */
export function pack(value: Packed): Uint8Array {
  const out: number[] = []
  write(value, out)
  return Uint8Array.from(out)
}

function write(value: Packed, out: number[]): void {
  if (typeof value === 'boolean') out.push(value ? 0xc3 : 0xc2)
  else if (typeof value === 'number') writeInteger(value, out)
  else if (typeof value === 'string') writeText(value, out)
  else if (isList(value)) {
    writeLength(value.length, [0x90, 0xdc], out)
    for (const one of value) write(one, out)
  } else {
    const members = Object.entries(value)
    writeLength(members.length, [0x80, 0xde], out)
    for (const [key, one] of members) {
      writeText(key, out)
      write(one, out)
    }
  }
}

const isList = (value: Packed): value is readonly Packed[] => Array.isArray(value)

/** Lists and maps: up to 15 in the first byte, else 16 bits. */
function writeLength(length: number, [short, long]: readonly [number, number], out: number[]): void {
  if (length < 16) out.push(short | length)
  else if (length < 65_536) out.push(long, length >> 8, length & 0xff)
  else throw new RangeError('too many members for an action')
}

function writeText(text: string, out: number[]): void {
  const bytes = utf8.encode(text)
  if (bytes.length < 32) out.push(0xa0 | bytes.length)
  else if (bytes.length < 256) out.push(0xd9, bytes.length)
  else throw new RangeError('too long a text for an action')
  out.push(...bytes)
}

function writeInteger(value: number, out: number[]): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('an action has whole numbers from zero only')
  if (value < 0x80) out.push(value)
  else if (value < 0x100) out.push(0xcc, value)
  else if (value < 0x10000) out.push(0xcd, value >> 8, value & 0xff)
  else if (value < 0x1_0000_0000) out.push(0xce, ...bytesOf(BigInt(value), 4))
  else out.push(0xcf, ...bytesOf(BigInt(value), 8))
}

/** Returns a number as big-endian bytes. */
export const bytesOf = (value: bigint, length: number): readonly number[] =>
  Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 0xffn))
