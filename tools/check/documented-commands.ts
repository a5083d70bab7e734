/** Executed by `documented-commands.test.ts` beside this file: a shell line in the root with an empty folder `WORK`. */
interface Here {
  /** The command itself, or a short form of it. */
  readonly here: string
  /** Part of what it must print. */
  readonly prints: string
}

/** Executed by another test. */
interface Elsewhere {
  readonly test: string
  /** What the test starts, as its text has it: the program of the command, or the command itself. */
  readonly starts: string
  /** Only in the long run. */
  readonly long?: true
}

/** Executed by `operations-blocks.test.ts`, which runs the shell blocks of docs/operations.md as they stand. */
const OF_BLOCKS = 'block'

export type Execution = Here | Elsewhere | typeof OF_BLOCKS

const FLOW = 'tools/flow/documented-commands.test.ts'
const RUN_ONCE = 'tools/flow/run-once.test.ts'
const MANIFESTS = 'tools/manifest-runner/command.test.ts'
const PAGES = 'tools/web/commands.test.ts'
const FORGE = 'packages/vault/test/forge.test.ts'
const CHECKS = 'tools/check/checks.ts'
const BENCH: Elsewhere = { test: 'tools/check/bench-command.test.ts', starts: 'npm run bench', long: true }

const literally = (test: string, starts: string, more: { long?: true } = {}): Elsewhere => ({ test, starts, ...more })
const long = { long: true } as const
/** `npm test` and vitest with the path of a project: a path of one file takes the same way. */
const TESTS_OF_A_PATH: Here = { here: 'npm test -- tools/check/test-report.test.ts', prints: ' passed, 0 failed' }
const VITEST: Here = { here: 'npx vitest run --project unit services/identity/src/keys', prints: ' passed' }
const ALONE: Elsewhere = { test: RUN_ONCE, starts: 'mainOf(' }
const DRY_LOG = `echo '{"level":30,"time":"2026-11-22T12:04:10.000Z","service":"keeper","job":"mark","dry":true,"msg":"done","do":"mark","public_id":"mdt_1","worth":"400"}' > "$WORK/keeper.log"`

/** Every command that documents name and that a test executes. */
export const COMMANDS_RUN: Readonly<Record<string, Execution>> = {
  'npm start': literally(FLOW, 'npm start'),
  'npm start -- --help': { here: 'npm start -- --help', prints: '--isolate' },
  'npm start -- --isolate': { test: 'tools/flow/start-command.test.ts', starts: 'tools/dev/main.ts' },
  'npm start -- --with-history --data DIR': literally(FLOW, 'npm start -- --with-history --data', long),
  'curl http://127.0.0.1:8080/health': literally(FLOW, 'curl'),
  'curl http://127.0.0.1:8080/discovery': literally(FLOW, 'curl'),
  'curl http://127.0.0.1:8080/prices': literally(FLOW, 'curl'),
  "curl 'http://127.0.0.1:8080/board?limit=3'": literally(FLOW, 'curl'),
  'echo 1 > .data/switches/SVC_LIVE_TRADING_ENABLED': literally(FLOW, 'echo 1 >'),
  'npm run demo': literally(FLOW, 'npm run demo'),
  'npm run demo -- --help': { here: 'npm run demo -- --help', prints: 'Plays a demo' },
  'npm run demo -- --data DIR': literally(FLOW, 'npm run demo -- --short --data'),
  'npm run demo -- vault': { test: 'tools/flow/vault-life.test.ts', starts: 'npm run demo -- vault' },
  'npm run demo -- leg': literally(FLOW, 'npm run demo -- leg'),
  'npm run demo -- trade': literally(FLOW, 'npm run demo -- trade'),
  'npm run demo -- public': { test: 'tools/flow/public.test.ts', starts: 'npm run demo -- public' },

  'npm test': TESTS_OF_A_PATH,
  'npm test -- services/gallery': TESTS_OF_A_PATH,
  'npm test -- services/hl-leg/leg': TESTS_OF_A_PATH,
  'npm test -- services/hl-leg/relay': TESTS_OF_A_PATH,
  'npm test -- services/hl-leg/trade': TESTS_OF_A_PATH,
  'npm test -- packages/vault': TESTS_OF_A_PATH,
  'node tools/with-node24.mjs tools/check/beside-load.ts --loops 10 --times 20 -- tools/flow/keeper': {
    here: 'node tools/with-node24.mjs tools/check/beside-load.ts --loops 1 --times 2 -- tools/check/test-report.test.ts',
    prints: '2 of 2 passed beside 1 busy loops',
  },
  'npm run test:long': { here: 'npm run test:long -- tools/check/test-report.test.ts', prints: ' passed, 0 failed' },
  'npm run test:long -- soak': { test: 'tools/flow/soak/soak.test.ts', starts: 'SOAK_MINUTES' },
  'npx vitest run services/chain-indexer': VITEST,
  'npx vitest run services/keeper': VITEST,
  'npx vitest run services/mandates': VITEST,
  'npx vitest run services/market-data': VITEST,
  'npx vitest run services/mining': VITEST,
  'npx vitest run services/research-reports': VITEST,
  'npx vitest run services/subscriptions': VITEST,
  'npx vitest run --project unit services/identity': VITEST,
  'npx vitest run --project integration services/identity': VITEST,
  'npx nx affected -t test --base=origin/main': {
    here: 'NX_DAEMON=false npx nx affected -t test --base=HEAD --head=HEAD',
    prints: 'No tasks were run',
  },
  'npm run check': { here: 'npm run check -- --only "project graph"', prints: 'ok     project graph' },
  'npm run lab:check': { here: 'npm run lab:check -- --only lint', prints: 'ok     lint' },
  'npm run generate': { test: CHECKS, starts: 'tools/generate/main.ts' },
  'node tools/web/sizes.ts': { test: CHECKS, starts: 'tools/web/sizes.ts' },
  'npm run bench': BENCH,
  'npm run bench -- --only ledger': BENCH,
  'npm run bench -- --only leg': BENCH,

  'npm run sdk': { test: 'tools/sdk/package.test.ts', starts: 'npm run sdk' },
  'npm pack': { test: 'tools/sdk/package.test.ts', starts: "'npm', ['pack'" },
  'npm install @svc/sdk': { test: 'tools/sdk/package.test.ts', starts: "'npm', ['install'" },

  'npm run shots': literally(PAGES, 'npm run shots', long),
  'npm run shots -- mandate walk ko': literally(PAGES, 'npm run shots', long),
  'npm run shots -- --readme': literally(PAGES, '--readme', long),
  'npm run paint': { test: 'tools/check/test.ts', starts: 'tools/web/paint.ts', ...long },
  'node tools/with-node24.mjs tools/web/world.ts /tmp/world.json': literally(PAGES, 'tools/web/world.ts', long),
  'WEB_WORLD=/tmp/world.json npx vitest run --project web packages/web/test/e2e/figures.e2e.ts': literally(
    PAGES,
    'npx vitest run --project web',
    long,
  ),
  'kill -USR2 PID': literally(PAGES, 'kill -USR2', long),

  'node packages/vault/src/run-forge.ts build': { test: FORGE, starts: '../src/run-forge.ts' },
  'node packages/vault/src/run-forge.ts test --mc FeeTest -vvv': { test: FORGE, starts: '../src/run-forge.ts' },
  'node packages/vault/mutation/main.ts execute': {
    test: 'packages/vault/test/mutation.test.ts',
    starts: '../mutation/main.ts',
    ...long,
  },

  'node tools/with-node24.mjs tools/recompute/main.ts': {
    test: 'tools/flow/board.test.ts',
    starts: 'tools/recompute/main.ts',
  },
  'node tools/recompute/main.ts': { test: 'tools/flow/board.test.ts', starts: 'tools/recompute/main.ts' },
  'node tools/with-node24.mjs tools/verify-balance/main.ts DIR --from URL': {
    test: 'tools/flow/paid-reads.test.ts',
    starts: 'tools/verify-balance/main.ts',
  },
  'node tools/verify-order/main.ts FILE --jwks FILE --info URL': {
    test: 'tools/flow/leg.test.ts',
    starts: 'tools/verify-order/main.ts',
  },
  // The demo of a mandate runs it; tools/flow/mandate-life.test.ts plays that demo.
  'node tools/verify-record/main.ts FILE... [--jwks FILE] [--later JWS] [--terms FILE] [--rpc URL]': {
    test: 'tools/demo/mandate/proof.ts',
    starts: 'tools/verify-record/main.ts',
  },
  'node tools/replay-exchange/main.ts': { test: 'tools/replay-exchange/main.test.ts', starts: 'main.ts' },
  'node tools/replay-exchange/main.ts --help': {
    here: 'node tools/replay-exchange/main.ts --help',
    prints: '--dataset',
  },
  'node tools/lab/record-candles/main.ts FILE': {
    test: 'tools/lab/record-candles/record-candles.test.ts',
    starts: 'main.ts',
  },
  'node tools/dry-run-report/main.ts LOG…': {
    here: `${DRY_LOG} && sed 's/"dry":true/"dry":false/' "$WORK/keeper.log" > "$WORK/live.log" && node tools/dry-run-report/main.ts "$WORK/keeper.log" "$WORK/live.log"`,
    prints: 'same ',
  },
  'node tools/with-node24.mjs tools/dry-run-report/main.ts --day "$WORK/keeper.log"': {
    here: `${DRY_LOG} && node tools/with-node24.mjs tools/dry-run-report/main.ts --day "$WORK/keeper.log" --until 2026-11-22T13:00:00Z`,
    prints: 'mark',
  },

  'node services/chain-indexer/src/main.ts': ALONE,
  'node services/gallery/src/main.ts': ALONE,
  'node services/gateway/src/main.ts': ALONE,
  'node services/hl-leg/leg/src/main.ts': ALONE,
  'node services/hl-leg/relay/src/main.ts': ALONE,
  'node services/hl-leg/trade/src/main.ts': ALONE,
  'SVC_POSTGRES_URL=postgres://identity_app:…@127.0.0.1/svc SVC_SESSION_SIGNING_KEY=$(node -p "crypto.randomBytes(32).toString(\'base64url\')") node services/identity/src/main.ts':
    ALONE,
  'node services/keeper/src/main.ts': ALONE,
  'SVC_POSTGRES_URL=… SVC_NATS_URL=… node services/mandates/src/main.ts': ALONE,
  'node services/market-data/src/main.ts': ALONE,
  'node services/mining/src/main.ts': ALONE,
  'node services/research-reports/src/main.ts': ALONE,
  'SVC_POSTGRES_URL=… SVC_NATS_URL=… node services/subscriptions/src/main.ts': ALONE,
  'node src/main.ts --job NAME --once [--dry-run]': ALONE,
  'node src/main.ts --migrate': { test: RUN_ONCE, starts: "'--migrate'" },
  'node services/gallery/src/main.ts --rebuild-facts': { test: RUN_ONCE, starts: '--rebuild-facts' },
  'node services/gallery/src/main.ts --job hallSnapshot --once --dry-run': {
    test: RUN_ONCE,
    starts: '--job hallSnapshot --once --dry-run',
  },
  'node services/hl-leg/leg/src/main.ts --job stopLine --once': { test: RUN_ONCE, starts: '--job stopLine --once' },
  'node services/keeper/src/main.ts --job mark --once': { test: RUN_ONCE, starts: '--job mark --once' },
  'node services/gallery/src/main.ts --outbound list': {
    test: 'services/gallery/test/runner/open-orders.test.ts',
    starts: "'--outbound', 'list'",
  },
  'node services/hl-leg/leg/src/main.ts --outbound list': {
    test: 'services/hl-leg/leg/test/orders/open-moves.test.ts',
    starts: "'--outbound', 'list'",
  },
  'node services/hl-leg/trade/src/main.ts --outbound list': {
    test: 'services/hl-leg/trade/test/orders/open-orders.test.ts',
    starts: "'--outbound', 'list'",
  },
  'node services/keeper/src/main.ts --outbound list': {
    test: 'services/keeper/test/start.test.ts',
    starts: "'--outbound', 'list'",
  },
  'node services/chain-indexer/src/main.ts --job vaultEvents --once': {
    test: RUN_ONCE,
    starts: '--job vaultEvents --once',
  },
  'node services/chain-indexer/src/main.ts --rewind vault_events --to BLOCK': {
    test: 'services/chain-indexer/test/rewind/command-line.test.ts',
    starts: "'--rewind', 'vault_events', '--to'",
  },
  'node services/subscriptions/src/main.ts --job publishBalanceRoot --once --dry-run': {
    test: 'tools/flow/paid-reads.test.ts',
    starts: "'publishBalanceRoot', '--once'",
  },
  'node packages/service/src/dead-letters.ts list': {
    test: 'packages/service/test/dead-letters.test.ts',
    starts: '../src/dead-letters.ts',
  },

  'node -p \'require("node:crypto").generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })\'': OF_BLOCKS,
  'node tools/with-node24.mjs tools/k8s-verify/main.ts --render production > "$WORK/production.yaml"': OF_BLOCKS,
  'node tools/with-node24.mjs tools/k8s-verify/main.ts --edges': OF_BLOCKS,
  // The examples of this repository are no installation: the command ends with 1 and names them.
  'node tools/with-node24.mjs tools/k8s-verify/main.ts --needs production "$WORK/secrets"': {
    here: 'node tools/dev/k8s-secrets.ts "$WORK/needs" --tls && node tools/k8s-verify/main.ts --needs production "$WORK/needs" || true',
    prints: 'NEEDED missing required HUB_RPC_URL',
  },
  'node tools/with-node24.mjs tools/dev/k8s-secrets.ts "$WORK/secrets" --tls': OF_BLOCKS,
  'node tools/with-node24.mjs tools/dev/k8s-secrets.ts "$WORK/secrets" --tls --postgres postgres-restored': OF_BLOCKS,
  'ls "$WORK/secrets/mining"': OF_BLOCKS,
  'ls k8s/components/go-live': OF_BLOCKS,
  'node tools/with-node24.mjs tools/contract-compat/main.ts': OF_BLOCKS,
  'node tools/with-node24.mjs tools/migration-lint/main.ts': OF_BLOCKS,
  'node tools/with-node24.mjs tools/restore-drill/main.ts': {
    test: 'tools/restore-drill/drill.test.ts',
    starts: 'tools/restore-drill/main.ts',
  },
  'node tools/dev/setup.ts repair-streams': { test: 'tools/flow/lose-streams.ts', starts: "'repair-streams'" },
  'node tools/with-node24.mjs tools/manifest-runner/main.ts e2e --job hl-leg-stop-line': literally(
    MANIFESTS,
    'e2e --job hl-leg-stop-line',
    long,
  ),
  '… main.ts e2e --job hl-leg-stop-line': literally(MANIFESTS, 'e2e --job hl-leg-stop-line', long),
  '… main.ts e2e --data DIR': literally(MANIFESTS, 'e2e --data', long),
  '… main.ts tests/e2e-tls': literally(MANIFESTS, 'tests/e2e-tls', long),
  '… main.ts e2e --roll': literally(MANIFESTS, 'e2e --roll', long),
  '… main.ts e2e --roll --from v1.4.0': literally(MANIFESTS, 'e2e --roll --from', long),
}
