import { notJudgedReason } from '@svc/contracts/market-data/crisis'
import { json, sql, table, typed, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { CRISIS_RULES, CRISIS_RULES_VERSION, type CrisisRule } from '../rules/crisis-rules.ts'
import type { ClosedEpisode, CrisisEpisode, JudgedEpisode, NotJudged } from '../rules/crisis.ts'

const rule = z.enum(CRISIS_RULES as [CrisisRule, ...CrisisRule[]])
const severity = z.union([z.literal(1), z.literal(2), z.literal(3)])
const inputs = z.record(z.string(), z.union([z.number(), z.boolean(), z.string(), z.null()]))

const minuteRow = z.object({
  exchange: z.string(),
  books_synthetic: z.boolean(),
  instance_ids: z.array(z.number()),
  price: z.array(z.number().nullable()),
  spread_bps: z.array(z.number().nullable()),
  depth: z.array(z.number().nullable()),
  truncated: z.array(z.boolean().nullable()).nullable(),
})
export type ObservedMinute = z.output<typeof minuteRow>

const observedMinuteRow = z.object({ minute: z.string() })

/** Returns minutes with an observation after `after`, oldest first. */
export async function observedMinutes(db: Db, after: Date, until: Date, max: number): Promise<readonly Date[]> {
  const rows = await db.anyFirst(sql.type(observedMinuteRow)`
    SELECT DISTINCT minute FROM observation WHERE minute > ${after.toISOString()} AND minute <= ${until.toISOString()}
    ORDER BY minute LIMIT ${max}`)
  return rows.map((minute) => new Date(minute))
}

const exchangeRow = z.object({ exchange: z.string() })

/** Returns the observations of all venues in a minute. Reads one venue at a time, so that the event loop is not blocked. */
export async function observedAt(db: Db, minute: Date): Promise<readonly ObservedMinute[]> {
  const at = minute.toISOString()
  const exchanges = await db.anyFirst(sql.type(exchangeRow)`
    SELECT exchange FROM observation WHERE minute = ${at} ORDER BY exchange`)
  const seen: ObservedMinute[] = []
  for (const exchange of exchanges)
    seen.push(
      ...(await db.any(sql.type(minuteRow)`
        SELECT exchange, books_synthetic, array_to_json(instance_ids) AS instance_ids, array_to_json(price) AS price,
          array_to_json(spread_bps) AS spread_bps, array_to_json(depth_2pct_usd) AS depth,
          array_to_json(depth_truncated) AS truncated
        FROM observation WHERE minute = ${at} AND exchange = ${exchange}`)),
    )
  return seen
}

const watchedRow = z.object({
  instance_id: z.number(),
  exchange: z.string(),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  name: z.string().nullable(),
  trading: z.enum(['trading', 'halted']),
  trading_since: z.string(),
  chain: z.string().nullable(),
  address: z.string().nullable(),
})
export type WatchedToken = z.output<typeof watchedRow>

/** Rows per page. */
const PAGE = 1_000

/** Returns every instance that is not delisted, with its approved address. Reads pages, so that the event loop is not blocked. */
export async function watchedTokens(db: Db): Promise<readonly WatchedToken[]> {
  const watched: WatchedToken[] = []
  for (;;) {
    // The order is the key of the pages.
    const page = await db.any(sql.type(watchedRow)`
      SELECT instance_id, exchange, symbol, base, quote, name, trading, trading_since, chain, address
      FROM token JOIN token_instance USING (instance_id) LEFT JOIN verified_contract USING (instance_id)
      WHERE trading <> 'delisted' AND instance_id > ${watched.at(-1)?.instance_id ?? 0} ORDER BY instance_id LIMIT ${PAGE}`)
    watched.push(...page)
    if (page.length < PAGE) return watched
  }
}

const episodes = table('crisis_episode', {
  id: z.number(),
  instance_id: z.number(),
  rule,
  severity,
  peak_strength: z.number(),
  inputs: json(inputs),
  rules_version: z.string(),
  opened_at: z.string(),
  closed_at: z.string().nullable(),
  /** Null while the episode is open, and if its rule could not be judged any more. */
  close_reason: z.enum(['recovered', 'ended']).nullable(),
  /** Null if they are those of the opening. */
  worst_inputs: json(inputs.nullable()),
  /** Inputs of the last judged minute; null if no minute was judged after the opening. */
  last_inputs: json(inputs.nullable()),
  judged_at: z.string().nullable(),
})
const newEpisodes = episodes.omit('id', 'closed_at', 'close_reason', 'worst_inputs', 'last_inputs', 'judged_at')
const episodeRow = episodes.row.extend({ token_id: z.string(), exchange: z.string(), symbol: z.string() })
export type EpisodeRow = z.output<typeof episodeRow>

const columns = sql.fragment`${episodes.listOf('episode')}, token.token_id, exchange, symbol`

/** Returns why an episode is over; null while it is open. */
export const closedAs = (episode: Pick<EpisodeRow, 'closed_at' | 'close_reason'>): ClosedEpisode['reason'] | null =>
  episode.closed_at === null ? null : (episode.close_reason ?? 'unknown')

/** Opens an episode; null if it exists, or if the rule has an open episode for the token. */
export async function openEpisode(tx: Tx, instanceId: number, episode: CrisisEpisode): Promise<EpisodeRow | null> {
  const opened = newEpisodes.insert({
    instance_id: instanceId,
    rule: episode.rule,
    severity: episode.severity,
    peak_strength: episode.peakStrength,
    inputs: episode.inputs,
    rules_version: CRISIS_RULES_VERSION,
    opened_at: new Date(episode.openedAtMs).toISOString(),
  })
  return tx.maybeOne(sql.type(episodeRow)`
    WITH episode AS (
      ${opened}
      ON CONFLICT DO NOTHING RETURNING *)
    SELECT ${columns} FROM episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id`)
}

/** Stores what the rules of open episodes read in a minute, and keeps the worst of each. */
export async function noteInputs(
  tx: Tx,
  judged: readonly (JudgedEpisode & { readonly instanceId: number })[],
): Promise<void> {
  const rows = judged.map(({ instanceId, rule: name, atMs, strength, inputs: read }) => [
    instanceId,
    name,
    new Date(atMs).toISOString(),
    strength,
    JSON.stringify(read),
  ])
  // Minutes that are judged again change nothing. Locked by id, as two processes may judge the same minute.
  await tx.query(sql.unsafe`
    WITH read (instance_id, rule, at, strength, inputs) AS (
      SELECT * FROM ${sql.unnest(rows, ['int4', 'text', 'timestamptz', 'float8', 'text'])}
    ), due AS (
      SELECT id, at, strength, read.inputs::jsonb AS inputs FROM crisis_episode AS known JOIN read USING (instance_id, rule)
      WHERE closed_at IS NULL AND at > greatest(opened_at, judged_at) ORDER BY id FOR UPDATE OF known
    )
    UPDATE crisis_episode AS episode SET last_inputs = due.inputs, judged_at = due.at,
      worst_inputs = CASE WHEN due.strength > peak_strength THEN due.inputs ELSE worst_inputs END,
      peak_strength = greatest(peak_strength, due.strength)
    FROM due WHERE episode.id = due.id`)
}

/** Raises the severity of an open episode; null if the stored severity is not lower. */
export async function worsenEpisode(tx: Tx, instanceId: number, episode: CrisisEpisode): Promise<EpisodeRow | null> {
  return tx.maybeOne(sql.type(episodeRow)`
    WITH episode AS (
      UPDATE crisis_episode SET severity = ${episode.severity}, peak_strength = greatest(peak_strength, ${episode.peakStrength})
      WHERE instance_id = ${instanceId} AND rule = ${episode.rule} AND closed_at IS NULL AND severity < ${episode.severity}
      RETURNING *)
    SELECT ${columns} FROM episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id`)
}

/** Closes the open episode of a rule; null if none is open, or if it opened later. */
export async function closeEpisode(tx: Tx, instanceId: number, episode: ClosedEpisode): Promise<EpisodeRow | null> {
  const at = new Date(episode.closedAtMs).toISOString()
  return tx.maybeOne(sql.type(episodeRow)`
    WITH episode AS (
      UPDATE crisis_episode SET closed_at = ${at}, close_reason = ${episode.reason === 'unknown' ? null : episode.reason},
        severity = greatest(severity, ${episode.severity}), peak_strength = greatest(peak_strength, ${episode.peakStrength})
      WHERE instance_id = ${instanceId} AND rule = ${episode.rule} AND closed_at IS NULL AND opened_at <= ${at} RETURNING *)
    SELECT ${columns} FROM episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id`)
}

/** Ends the open episodes of delisted tokens and returns them. */
export async function endDelisted(tx: Tx, now: Date): Promise<readonly EpisodeRow[]> {
  return tx.any(sql.type(episodeRow)`
    WITH episode AS (
      UPDATE crisis_episode SET closed_at = greatest(${now.toISOString()}, opened_at), close_reason = 'ended'
      FROM token_instance AS gone
      WHERE closed_at IS NULL AND gone.instance_id = crisis_episode.instance_id AND trading = 'delisted'
      RETURNING crisis_episode.*)
    SELECT ${columns} FROM episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id`)
}

const countedEpisodeRow = episodeRow.extend({ total: z.number() })

/**
 * Returns the open episodes, and with `since` also those that closed after it; newest first. `changed` leaves out those that
 * neither opened nor closed since then.
 */
export async function listEpisodes(
  db: Db,
  only: {
    readonly exchange: string | null
    readonly since: Date | null
    readonly changed?: Date | null
    readonly limit: number
  },
): Promise<{ readonly total: number; readonly items: readonly EpisodeRow[] }> {
  const since = only.since?.toISOString() ?? null
  const changed = only.changed?.toISOString() ?? null
  const rows = await db.any(sql.type(countedEpisodeRow)`
    SELECT ${columns}, (count(*) OVER ())::int AS total
    FROM crisis_episode AS episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id
    WHERE (closed_at IS NULL OR closed_at > ${since}::timestamptz)
      AND (${changed}::timestamptz IS NULL OR opened_at >= ${changed} OR closed_at >= ${changed})
      AND (${only.exchange}::text IS NULL OR exchange = ${only.exchange})
    ORDER BY opened_at DESC, id DESC LIMIT ${only.limit}`)
  return { total: rows[0]?.total ?? 0, items: rows }
}

const closedEpisodeRow = episodeRow.extend({ closed_at: z.string() })

/** Returns the episodes that closed after a time: of each instance, rule and severity the newest, at most `max`. */
export async function recentEpisodes(
  db: Db,
  since: Date,
  max: number,
): Promise<readonly z.output<typeof closedEpisodeRow>[]> {
  return db.any(sql.type(closedEpisodeRow)`
    SELECT DISTINCT ON (instance_id, rule, severity) ${columns}
    FROM crisis_episode AS episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id
    WHERE closed_at > ${since.toISOString()} ORDER BY instance_id, rule, severity, closed_at DESC LIMIT ${max}`)
}

const checkpointRow = z.object({ exchange: z.string(), minute: z.string(), states: z.instanceof(Buffer) })

/** Returns the checkpoints since a time, made by the current rules. */
export async function readCheckpoints(db: Db, since: Date): Promise<readonly z.output<typeof checkpointRow>[]> {
  return db.any(sql.type(checkpointRow)`
    SELECT exchange, minute, states FROM crisis_checkpoint
    WHERE rules_version = ${CRISIS_RULES_VERSION} AND minute > ${since.toISOString()} ORDER BY exchange`)
}

/** Stores the states of a venue, unless a newer checkpoint is stored. */
export async function putCheckpoint(db: Db, exchange: string, minute: Date, states: Buffer): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO crisis_checkpoint (exchange, minute, rules_version, states)
    VALUES (${exchange}, ${minute.toISOString()}, ${CRISIS_RULES_VERSION}, ${sql.binary(states)})
    ON CONFLICT (exchange) DO UPDATE SET minute = excluded.minute, rules_version = excluded.rules_version, states = excluded.states
    WHERE crisis_checkpoint.minute <= excluded.minute OR crisis_checkpoint.rules_version <> excluded.rules_version`)
}

/** Stores the newest judged minute. */
export async function noteJudged(db: Db, minute: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE crisis_watch SET minute = greatest(minute, ${minute.toISOString()}::timestamptz)`)
}

const watchedMinuteRow = z.object({ minute: z.string().nullable() })

export async function judgedUntil(db: Db): Promise<string | null> {
  return db.oneFirst(sql.type(watchedMinuteRow)`SELECT minute FROM crisis_watch`)
}

const judgedRow = z.object({ exchange: z.string(), minute: z.string() })

/** Returns the newest judged minute of each exchange that was observed within the last day. */
export async function judgedExchanges(db: Db): Promise<readonly z.output<typeof judgedRow>[]> {
  return db.any(sql.type(judgedRow)`
    SELECT exchange, minute FROM venue, LATERAL (
      SELECT max(minute) AS minute FROM observation
      WHERE observation.exchange = venue.exchange AND minute <= (SELECT minute FROM crisis_watch)) AS newest
    WHERE minute IS NOT NULL ORDER BY exchange`)
}

/** Returns the episodes of an instance that closed after a time, newest first. */
export async function closedEpisodes(
  db: Db,
  instanceId: number,
  since: Date,
  max: number,
): Promise<readonly z.output<typeof closedEpisodeRow>[]> {
  return db.any(sql.type(closedEpisodeRow)`
    SELECT ${columns}
    FROM crisis_episode AS episode JOIN token_instance AS instance USING (instance_id) JOIN token ON token.token_id = instance.token_id
    WHERE episode.instance_id = ${instanceId} AND closed_at > ${since.toISOString()}
    ORDER BY opened_at DESC, id DESC LIMIT ${max}`)
}

const notJudged = table('crisis_not_judged', {
  instance_id: typed('int4', z.number()),
  rules: json(z.array(z.object({ rule, reason: notJudgedReason, since: z.string() }))),
})
const replaceNotJudged = notJudged.onConflict(['instance_id'])

/** Rules that cannot be judged for an instance. */
export interface InstanceNotJudged {
  readonly instance_id: number
  readonly rules: readonly NotJudged[]
}

/** Returns the rules that cannot be judged, by instance. */
export async function readNotJudged(db: Db): Promise<readonly InstanceNotJudged[]> {
  const rows = await db.any(sql.type(notJudged.row)`SELECT ${notJudged.list} FROM crisis_not_judged`)
  return rows.map(({ instance_id, rules }) => ({
    instance_id,
    rules: rules.map(({ since, ...one }) => ({ ...one, sinceMs: Date.parse(since) })),
  }))
}

const notJudgedPair = notJudged.row.extend({ exchange: z.string(), symbol: z.string() })

/** Returns the rules that cannot be judged, with the pairs that the instances are now. */
export const notJudgedPairs = (db: Db): Promise<readonly z.output<typeof notJudgedPair>[]> =>
  db.any(sql.type(notJudgedPair)`
    SELECT ${notJudged.listOf('missed')}, exchange, symbol FROM crisis_not_judged AS missed JOIN token USING (instance_id)`)

/** Stores which rules cannot be judged for instances; for those of `judged` every rule can. */
export async function putNotJudged(
  db: Db,
  changed: readonly InstanceNotJudged[],
  judged: readonly number[],
): Promise<void> {
  if (judged.length > 0)
    await db.query(
      sql.unsafe`DELETE FROM crisis_not_judged WHERE instance_id = ANY (${sql.array([...judged], 'int4')})`,
    )
  const rows = changed.map(({ instance_id, rules }) => ({
    instance_id,
    rules: rules.map(({ sinceMs, ...one }) => ({ ...one, since: new Date(sinceMs).toISOString() })),
  }))
  if (rows.length > 0) await db.query(sql.unsafe`${notJudged.insertAll(rows)} ${replaceNotJudged}`)
}
