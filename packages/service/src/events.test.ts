import type { Pool } from '@svc/postgres'
import { expect, expectTypeOf, test } from 'vitest'
import type { Clock } from './clock.ts'
import { bindReactions, type BoundReaction, type Delivered, type Local, type Reactions } from './events.ts'

interface Context {
  readonly pool: Pool
  readonly clock: Clock
  /** A client of another service. */
  readonly names: { nameOf(id: number): Promise<string> }
  findPlace(id: number): Promise<string>
}
type LocalContext = Local<Context, 'clock'>
type Naming = BoundReaction<Context, LocalContext, { readonly id: number }, string>

const prepare: Naming['prepare'] =
  ({ names }) =>
  ({ payload }) =>
    names.nameOf(payload.id)

// The compiler checks each line below a `@ts-expect-error`: `npm run check` fails if it compiles.
test('apply of a reaction cannot call other services: its types have no client and no pool, and what prepare returns reaches it', async () => {
  const applied: unknown[] = []
  const naming: Naming = {
    prepare,
    apply:
      ({ clock }) =>
      async (_tx, _event, name) =>
        void applied.push(name, clock.now()),
  }
  void ({
    prepare,
    // @ts-expect-error The context of `apply` has no client.
    apply: (context) => async () => void (await context.names.nameOf(1)),
  } satisfies Naming)
  void ({
    // @ts-expect-error A whole context is more than `apply` gets.
    'alpha.thingMade': { apply: (context: Context) => async () => void context },
  } satisfies Reactions<Context, LocalContext>)
  // @ts-expect-error A client is not local.
  expectTypeOf<Local<Context, 'clock' | 'names'>>()
  // @ts-expect-error An asynchronous function is not local.
  expectTypeOf<Local<Context, 'clock' | 'findPlace'>>()
  // @ts-expect-error A pool is not local.
  expectTypeOf<Local<Context, 'clock' | 'pool'>>()

  const now = new Date()
  const context = { clock: { now: () => now }, names: { nameOf: async (id: number) => `thing ${id}` } }
  const bound = bindReactions({ 'alpha.thingMade': naming }, context as Context)['alpha.thingMade']
  const event = { id: 'e1', seq: 1, at: now.toISOString(), payload: { id: 7 } } as Delivered<never>
  await bound?.apply({} as never, event, (await bound.prepare?.(event)) as never)
  expect(applied).toEqual(['thing 7', now])
})
