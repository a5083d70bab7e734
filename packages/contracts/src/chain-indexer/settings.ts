import { protectingSwitchWord, setting } from '@svc/contract'
import { z } from 'zod'
import { chainSettings, wholeNumber } from '../common/chain-settings.ts'
import { workerSettings } from '../common/worker-settings.ts'

const BLOCK_MAX = 2 ** 48

/** Settings of the workers that read the chain; names and defaults are those of the API document. */
export const chainIndexerSettings = {
  ...chainSettings,
  vaultEventsDryRun: setting({
    env: 'HUB_VAULT_EVENTS_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Factory-wide event sweep. On: it reads and counts, writes nothing and does not move its stored block.',
  }),
  vaultEventsSec: setting({
    env: 'HUB_VAULT_EVENTS_SEC',
    schema: wholeNumber(1, 86_400),
    default: '15',
    doc: 'Seconds between two runs of the sweep, and of the revert scan.',
  }),
  vaultEventsStartBlock: setting({
    env: 'HUB_VAULT_EVENTS_START_BLOCK',
    schema: wholeNumber(0, BLOCK_MAX),
    default: null,
    doc: "First block of the sweep. Unset: the factories' deployment block as HUB_DEPLOYMENT_FILE says, else 0.",
  }),
  vaultEventsMaxBlocksPerTick: setting({
    env: 'HUB_VAULT_EVENTS_MAX_BLOCKS_PER_TICK',
    oldEnv: 'HUB_VAULT_EVENTS_MAX_BLOCKS',
    schema: wholeNumber(1, 10_000_000),
    default: '4000',
    doc: 'Blocks that one run of the sweep reads.',
  }),
  vaultEventsMaxSpan: setting({
    env: 'HUB_VAULT_EVENTS_MAX_SPAN',
    schema: wholeNumber(1, 10_000_000),
    default: '200',
    doc: 'Blocks per log call of the sweep, clamped to HUB_GETLOGS_MAX_SPAN. Error -32005 halves it to 100; a 413 for one address halves it once, then the chunk is left and read by the next run.',
  }),
  vaultEventsReverts: setting({
    env: 'HUB_VAULT_EVENTS_REVERTS',
    schema: protectingSwitchWord,
    default: '1',
    doc: '0 turns the scan of blocks for reverted calls off.',
  }),
  revertBlocksPerTick: setting({
    env: 'HUB_VAULT_EVENTS_REVERT_BLOCKS_PER_TICK',
    schema: wholeNumber(1, 100_000),
    default: '150',
    doc: 'Blocks that the revert scan reads per run; it does not limit the event range.',
  }),
  revertBackfillMaxBlocks: setting({
    env: 'HUB_VAULT_EVENTS_REVERT_BACKFILL_MAX_BLOCKS',
    schema: wholeNumber(0, 10_000_000),
    default: '2000',
    doc: "The first run of the revert scan starts at most this many blocks before the sweep's stored block; older attempts are not reconstructed.",
  }),
  revertBudgetSec: setting({
    env: 'HUB_VAULT_EVENTS_REVERT_BUDGET_SEC',
    schema: wholeNumber(1, 3_600),
    default: '60',
    doc: 'The revert scan stops cleanly after so many seconds and resumes in the next run.',
  }),
  vaultPollDryRun: setting({
    env: 'HUB_VAULT_POLL_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Vault poller. On: it reads and compares, and writes nothing.',
  }),
  vaultPollSec: setting({
    env: 'HUB_VAULT_POLL_SEC',
    schema: wholeNumber(1, 86_400),
    default: '60',
    doc: 'Seconds between two runs of the vault poller.',
  }),
  vaultPollMax: setting({
    env: 'HUB_VAULT_POLL_MAX',
    schema: wholeNumber(1, 10_000),
    default: '100',
    doc: 'Vaults that one run of the poller reads, longest unread first.',
  }),
  depositDryRun: setting({
    env: 'HUB_DEPOSIT_WATCH_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Deposit watcher. On: it reads and counts, writes nothing and does not move its stored block.',
  }),
  depositMaxBlocksPerTick: setting({
    env: 'HUB_DEPOSIT_MAX_BLOCKS_PER_TICK',
    schema: wholeNumber(1, 10_000_000),
    default: '4000',
    doc: 'Blocks that one run of the deposit watcher reads.',
  }),
  depositTickBudgetSec: setting({
    env: 'HUB_DEPOSIT_TICK_BUDGET_SEC',
    schema: wholeNumber(1, 3_600),
    default: '60',
    doc: 'Seconds that one run of the deposit watcher may take; each chunk is committed before the next is read.',
  }),
  pollSeconds: setting({
    env: 'HUB_POLL_SECONDS',
    schema: wholeNumber(1, 86_400),
    default: '5',
    doc: 'Seconds between two runs of the deposit watcher and of the transaction watch.',
  }),
  startLookback: setting({
    env: 'HUB_START_LOOKBACK',
    schema: wholeNumber(0, 10_000_000),
    default: '2000',
    doc: 'The first run of the deposit watcher starts so many blocks before the head.',
  }),
  chunkBlocks: setting({
    env: 'HUB_CHUNK_BLOCKS',
    schema: wholeNumber(1, 10_000_000),
    default: '200',
    doc: 'Blocks of one chunk of the deposit watcher, clamped to HUB_GETLOGS_MAX_SPAN.',
  }),
  depositAddressBatch: setting({
    env: 'HUB_DEPOSIT_ADDR_BATCH',
    schema: wholeNumber(1, 1000),
    default: '50',
    doc: 'Watched addresses per log call; HUB_GETLOGS_MAX_ADDRESSES wins when it is smaller.',
  }),
  depositBackfillLookback: setting({
    env: 'HUB_DEPOSIT_BACKFILL_LOOKBACK',
    schema: wholeNumber(0, 10_000_000),
    default: '2000',
    doc: 'How many blocks back a late-registered address is scanned, once.',
  }),
  blockSeconds: setting({
    env: 'HUB_BLOCK_SECONDS',
    schema: z.coerce.number().min(0.01).max(3_600),
    default: '2',
    doc: 'Block time by which the block of a registration is estimated.',
  }),
  reorgWindowSeconds: setting({
    env: 'HUB_REORG_WINDOW_SECONDS',
    schema: wholeNumber(60, 7 * 86_400),
    default: '3600',
    doc: 'How long a confirmed deposit is checked again, and how long block hashes are kept to find where a reorganisation began (256 blocks at least).',
  }),
  reorgRecheckMax: setting({
    env: 'HUB_REORG_RECHECK_MAX',
    schema: wholeNumber(1, 10_000),
    default: '50',
    doc: 'Deposits that are checked again per run.',
  }),
  ...workerSettings,
} as const
