import { ok } from '@svc/contract'
import { bind, runAsProcess, startService, type AnyHandler, type Handlers } from '@svc/service'
import { bench } from './contract.ts'
import { accountOfHash } from './keys.ts'

const handlers = {
  echo: () => (input) => Promise.resolve(ok(200, { ok: true, ...input, price: '101.25', size: 7 })),
  resolveKeys:
    () =>
    ({ hashes }) =>
      Promise.resolve(ok(200, { account_ids: hashes.map((hash) => accountOfHash.get(hash) ?? null) })),
  resolveTiers:
    () =>
    ({ account_ids }) =>
      Promise.resolve(ok(200, { items: account_ids.map((account_id) => ({ account_id, tier: 2 as const })) })),
} satisfies Handlers<null, typeof bench>

await runAsProcess((environment, overrides) =>
  startService(bench, [bench], environment, () => ({ handlers: bind<null, AnyHandler>(handlers, null) }), overrides),
)
