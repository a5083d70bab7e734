const RADIX = 36

interface Seat<T> {
  /** Counts the guests of this seat, so that a late answer to an earlier one is not given to the present one. */
  guest: number
  value: T | null
}

/** Values that wait under a short id until they are taken back. */
export interface Seats<T> {
  /** Keeps the value; gives its id, made of `0-9a-z_`. */
  sit(value: T): string
  /** The value that waits under an id; undefined when nobody does. */
  peek(id: string): T | undefined
  /** Gives the value back and frees its seat; undefined when nobody waits under this id. */
  leave(id: string): T | undefined
  /** Takes back every value the test chooses. */
  sweep(test: (value: T) => boolean): T[]
  /** How many values wait. */
  size(): number
}

/**
 * Numbered seats instead of a Map: a Map whose entries come and go this fast is rehashed all the time, and
 * the tables it leaves behind keep finished requests alive until the next full garbage collection.
 */
export function createSeats<T>(): Seats<T> {
  const seats: Seat<T>[] = []
  const free: number[] = []
  const clear = (index: number, seat: Seat<T>): T | undefined => {
    const value = seat.value ?? undefined
    seat.value = null
    seat.guest += 1
    free.push(index)
    return value
  }
  const find = (id: string): { readonly index: number; readonly seat: Seat<T> } | undefined => {
    const end = id.indexOf('_')
    const index = Number.parseInt(id.slice(0, end), RADIX)
    const seat = seats[index]
    if (seat === undefined || seat.value === null || seat.guest.toString(RADIX) !== id.slice(end + 1)) return undefined
    return { index, seat }
  }
  return {
    peek: (id) => find(id)?.seat.value ?? undefined,
    sit: (value) => {
      const index = free.pop() ?? seats.push({ guest: 0, value: null }) - 1
      const seat = seats[index]
      if (seat === undefined) throw new Error('a free seat does not exist')
      seat.value = value
      return `${index.toString(RADIX)}_${seat.guest.toString(RADIX)}`
    },
    leave: (id) => {
      const found = find(id)
      return found === undefined ? undefined : clear(found.index, found.seat)
    },
    size: () => seats.length - free.length,
    sweep: (test) =>
      seats.flatMap((seat, index) => {
        if (seat.value === null || !test(seat.value)) return []
        return clear(index, seat) ?? []
      }),
  }
}
