import type { FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'

/** An item of a feed as it is stored. */
export interface StoredItem {
  readonly seq: number
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * Returns an item as a CloudEvents 1.0 event in structured JSON. `source` and `id` together name the item for ever;
 * `seq` and `at` are extension attributes. Feeds whose items are about one pair have the pair as `subject`, and what
 * happened to it as the last part of `type`.
 */
export function cloudEvent(key: FeedKey, { seq, at, data }: StoredItem) {
  const change = textOf(data['change'])
  const subject = textOf(data['token_id'])
  return {
    specversion: '1.0' as const,
    id: `${key}-${seq}`,
    source: `/feeds/data/${key}`,
    type: `cherry.feed.${key}${change === null ? '' : `.${change}`}`,
    ...(subject === null ? {} : { subject }),
    time: at,
    datacontenttype: 'application/json' as const,
    seq,
    at,
    data: { ...data },
  }
}
