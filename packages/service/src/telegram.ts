const TIMEOUT_MS = 10_000

/** Result of a message. A final failure would repeat at another try. */
export type Delivery =
  | { readonly sent: true }
  | { readonly sent: false; readonly failure: string; readonly final: boolean }

/** Sends a plain text to a chat. Never throws; the result contains no chat and no token. */
export type Telegram = (chatId: string, text: string) => Promise<Delivery>

/** Returns the Telegram bot of a token; null without a token. */
export function openTelegram(apiUrl: string, token: string | null): Telegram | null {
  if (token === null) return null
  return async (chat_id, text) => {
    try {
      const { ok, status } = await fetch(`${apiUrl.replace(/\/$/, '')}/bot${token}/sendMessage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id, text, link_preview_options: { is_disabled: true } }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (ok) return { sent: true }
      // 400 and 403: the chat is unknown or blocked the bot. Other failures may pass at another try.
      return { sent: false, failure: `telegram answered ${status}`, final: status === 400 || status === 403 }
    } catch {
      return { sent: false, failure: 'telegram could not be reached', final: false }
    }
  }
}
