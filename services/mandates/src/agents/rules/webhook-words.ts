const WHY = {
  failing: 'its receiver accepted nothing for a day',
  gone: 'its receiver answered 410 Gone',
  backlog: 'more items waited for it than are kept',
} as const

/** Returns the text of the alert about a webhook that was turned off. */
export function webhookOffWords(
  off: {
    readonly account_id: number
    readonly webhook_id: string
    readonly host: string
    readonly reason: keyof typeof WHY
  },
  ownerId: number,
): string {
  const whose = off.account_id === ownerId ? 'Your webhook' : `The webhook of your agent ${off.account_id}`
  return (
    `${whose} to ${off.host} was turned off, because ${WHY[off.reason]}. What waited for it is not sent: read the feeds by GET ` +
    `/feeds/data/{feed_key}. POST /feeds/webhooks/${off.webhook_id}/verify turns it on again.`
  )
}
