/** Returns an event about a webhook itself, a CloudEvent as the items are. */
export function ownEvent(
  webhookId: string,
  kind: 'challenge' | 'test',
  { id, at, data }: { readonly id: string; readonly at: Date; readonly data: object },
): string {
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: `/feeds/webhooks/${webhookId}`,
    type: `cherry.webhook.${kind}`,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data,
  })
}
