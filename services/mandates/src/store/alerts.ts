import { sql, type Tx } from '@svc/postgres'

/** What an owner is told. `about` names the occurrence, so that it is told once. */
export interface NewAlert {
  readonly ownerId: number
  readonly mandateId: number
  readonly kind: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly text: string
  readonly link: string
  readonly about: string
}

export async function insertAlert(tx: Tx, alert: NewAlert, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO alert (owner_id, mandate_id, kind, severity, text, link, about, created_at)
    VALUES (${alert.ownerId}, ${alert.mandateId}, ${alert.kind}, ${alert.severity}, ${alert.text}, ${alert.link},
      ${alert.about}, ${now.toISOString()})
    ON CONFLICT (mandate_id, kind, about) DO NOTHING`)
}
