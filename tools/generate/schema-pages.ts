import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeOf, schemaOf, type Contract } from '@svc/contract'
import { migrate, openPool, sql, type Pool } from '@svc/postgres'
import { prepareDatabase, startServers } from '@svc/servers'
import { z } from 'zod'
import { code, page, table } from './markdown.ts'

const column = z.object({
  relation: z.string(),
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  fallback: z.string().nullable(),
})
const named = z.object({ relation: z.string(), name: z.string(), definition: z.string() })
const grant = z.object({ relation: z.string(), rights: z.string() })

/** Table of the migration tool, which is no part of the service. */
const HIDDEN = /^migrations/

function listOf(entries: readonly z.output<typeof named>[]): string[] {
  const lines = entries.map((one) => `- ${code(one.name)}: ${code(one.definition)}`)
  return lines.length === 0 ? [] : [lines.join('\n')]
}

async function schemaPage(pool: Pool, service: string): Promise<string> {
  const schema = schemaOf(service)
  const columns = await pool.any(sql.type(column)`
    SELECT c.relname AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS fallback
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = ${schema}::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname COLLATE "C", a.attnum`)
  const rules = await pool.any(sql.type(named)`
    SELECT conrelid::regclass::text AS relation, conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = ${schema}::regnamespace AND conrelid <> 0 AND contype <> 'n' ORDER BY conname COLLATE "C"`)
  const indexes = await pool.any(sql.type(named)`
    SELECT tablename AS relation, indexname AS name, regexp_replace(indexdef, '^.* USING ', '') AS definition
    FROM pg_indexes i WHERE schemaname = ${schema}
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.connamespace = ${schema}::regnamespace AND k.conname = i.indexname)
    ORDER BY indexname COLLATE "C"`)
  const triggers = await pool.any(sql.type(named)`
    SELECT c.relname AS relation, t.tgname AS name, regexp_replace(pg_get_triggerdef(t.oid), '^CREATE (CONSTRAINT )?TRIGGER \\S+ ', '') AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = ${schema}::regnamespace AND NOT t.tgisinternal ORDER BY t.tgname COLLATE "C"`)
  const grants = await pool.any(sql.type(grant)`
    SELECT c.relname AS relation,
      concat_ws(', ', CASE WHEN has_table_privilege(${`${schema}_app`}, c.oid, 'SELECT') THEN 'SELECT' END,
        CASE WHEN has_table_privilege(${`${schema}_app`}, c.oid, 'INSERT') THEN 'INSERT' END,
        CASE WHEN has_table_privilege(${`${schema}_app`}, c.oid, 'UPDATE') THEN 'UPDATE' END,
        CASE WHEN has_table_privilege(${`${schema}_app`}, c.oid, 'DELETE') THEN 'DELETE' END) AS rights
    FROM pg_class c WHERE c.relnamespace = ${schema}::regnamespace AND c.relkind IN ('r', 'p')`)
  const relations = [...new Set(columns.map((one) => one.relation))].filter((name) => !HIDDEN.test(name))
  const bare = (relation: string) => relation.replace(`${schema}.`, '')
  return page(
    `Schema ${schema}`,
    'The schema after all migrations, with the tables of the kit (`outbox`, `inbox`, `idempotency`).',
    ...relations.flatMap((relation) => [
      `## ${relation}`,
      `The service may: ${grants.find((one) => one.relation === relation)?.rights ?? ''}.`,
      table(
        ['Column', 'Type', 'Null', 'Default'],
        columns
          .filter((one) => one.relation === relation)
          .map((one) => [
            code(one.name),
            one.type,
            one.required ? '' : 'yes',
            one.fallback === null ? '' : code(one.fallback),
          ]),
      ),
      ...listOf([...rules, ...indexes, ...triggers].filter((one) => bare(one.relation) === relation)),
    ]),
  )
}

/** Returns the schema page of every service with a schema by its path, read from a freshly migrated database. */
export async function schemaPages(contracts: readonly Contract[], root: string): Promise<Map<string, string>> {
  const owners = contracts.filter((contract) => contract.postgres)
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-generate-'))
  const servers = await startServers({ dataDir, nats: false, redis: false, durable: false })
  try {
    const urls = await prepareDatabase({
      superuserUrl: servers.postgres.url,
      database: 'generate',
      schemas: owners.map(({ name }) => ({
        schema: schemaOf(name),
        migratorPassword: servers.secrets.password(`${name}-migrator`),
        appPassword: servers.secrets.password(`${name}-app`),
      })),
    })
    const pages = new Map<string, string>()
    for (const contract of owners) {
      const { name } = contract
      const place = placeOf(contract)
      const schema = schemaOf(name)
      const url = urls[schema]?.migrator ?? ''
      await migrate({ url, schema, directory: join(root, place.migrations) })
      const pool = await openPool(url, { size: 1 })
      pages.set(place.schemaPage, await schemaPage(pool, name))
      await pool.end()
    }
    return pages
  } finally {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
