import { RemoteRefusal } from '@svc/service'

/** A refusal: its status and the members of its body. */
export type Refusal = {
  readonly status: number
  readonly code: string
  readonly errors?: { readonly pointer: string; readonly code: string }[]
} & Readonly<Record<string, unknown>>

/** Returns the refusal that a call must end with; throws if the call succeeds or fails in another way. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call
  } catch (error) {
    if (error instanceof RemoteRefusal) return { ...error.body, status: error.status } as Refusal
    throw error
  }
  throw new Error('the call was not refused')
}

/** Returns the offer that an unpaid read was refused with; null for other errors. */
export function offerIdOf(error: unknown): string | null {
  if (!(error instanceof RemoteRefusal)) return null
  const { offer } = error.body as { readonly offer?: { readonly extra?: { readonly offer_id?: string } } }
  return offer?.extra?.offer_id ?? null
}
