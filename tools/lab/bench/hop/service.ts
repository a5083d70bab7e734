import { ok } from '@svc/contract'
import { bind, defineService, runAsProcess, type AnyHandler, type Handlers } from '@svc/service'
import { bench } from './contract.ts'
import { accountOfHash } from './keys.ts'
import { openRows, type Rows } from './rows.ts'

interface Floor {
  readonly rows: Rows | null
}
const opened = ({ rows }: Floor): Rows => {
  if (rows === null) throw new Error('this floor was started without a database')
  return rows
}

const handlers = {
  echo: () => (input) => Promise.resolve(ok(200, { ok: true, ...input, price: '101.25', size: 7 })),
  readRow:
    (floor) =>
    async ({ id }) =>
      ok(200, await opened(floor).read(id)),
  readRows:
    (floor) =>
    async ({ id, count }) =>
      ok(200, { rows: [...(await opened(floor).readFrom(id, count))] }),
  addRow:
    (floor) =>
    async ({ text }) =>
      ok(201, { ok: true, id: await opened(floor).add(text) }),
  resolveKeys:
    () =>
    ({ hashes }) =>
      Promise.resolve(ok(200, { account_ids: hashes.map((hash) => accountOfHash.get(hash) ?? null) })),
  resolveTiers:
    () =>
    ({ account_ids }) =>
      Promise.resolve(ok(200, { items: account_ids.map((account_id) => ({ account_id, tier: 2 as const })) })),
} satisfies Handlers<Floor, typeof bench>

const floor: Floor = { rows: await openRows(process.env['SVC_POSTGRES_URL']) }
await runAsProcess(
  defineService({
    contract: bench,
    compose: () => ({ handlers: bind<Floor, AnyHandler>(handlers, floor) }),
  }),
)
