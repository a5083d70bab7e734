// A part of a number is no number: neither the 9 of 1e9 nor the 000 of "1 000", nor what a minus stands before. Nor is
// a count of trades money.
const START = String.raw`(?<![\w$^\-−]|\d[.,' \u00a0\u202f])`
const COUNTED = String.raw`\s?(?:trades|transactions|orders|buys|purchases|positions|times)\b`
const END = String.raw`(?!\d|[.,']\d|[ \u00a0\u202f]\d{3}(?!\d)|(?!k\b|usd|dollar|per)[a-z]|${COUNTED})`
/** An amount with its groups `amount`, `k` and `unit`. Bounded everywhere, so that no note can make the search long. */
export const MONEY = String.raw`${START}(?:\$|usdc?\s?)?(?<amount>\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,6})?)${END}\s?(?<k>k\b)?\s?(?<unit>%|percent|usdc\b|usd\b|dollars?\b|\$)?`
const FILL = String.raw`[^\d.,;\n]{0,30}`
const TRADE = String.raw`(?:trade|transaction|tx|order|buy|purchase)`
const AT_MOST = String.raw`(?:\s?(?:max(?:imum)?|at most))?`
const OF_BUDGET = String.raw`(?:budget|capital|in total|total|overall)\b`

/** Ways to say a limit as an amount, by limit; of several the first that matches counts. */
export const PATTERNS = {
  perTx: [
    String.raw`${MONEY}${AT_MOST}\s?(?:per|each|a|an|every|/)\s?${TRADE}\b`,
    String.raw`${MONEY}\s?(?:at a|each) time\b`,
    String.raw`\b(?:per|each|every|single)[ -]?${TRADE}s?\b${FILL}${MONEY}`,
  ],
  daily: [
    String.raw`${MONEY}${AT_MOST}\s?(?:per|a|each|every|/)\s?day\b`,
    String.raw`${MONEY}\s?daily\b`,
    String.raw`\bdaily\b${FILL}${MONEY}`,
    String.raw`\b(?:per|each|every)[ -]day\b${FILL}${MONEY}(?![^\d.,;\n]{0,8}\b${OF_BUDGET})`,
  ],
  stopLoss: [String.raw`\bstop[ -]?loss\s?(?:at|:)\s?${MONEY}`],
  loss: [
    String.raw`${MONEY}(?<=%|percent)\s?(?:stop[ -]?)?(?:loss|drawdown)\b`,
    String.raw`\b(?:lose|losing|loss(?:es)?|drawdown)\b${FILL}${MONEY}`,
    String.raw`(?<!\blow[ -])\brisk\b[^\d.,;:\n]{0,30}${MONEY}`,
    String.raw`\b(?:drops?|falls?|declines?|(?:am|i['’]m|is|it['’]s|goes|if|when) down)\b(?: by| more than)?\s?${MONEY}`,
  ],
  stopLine: [
    String.raw`\bstop(?:[ -]?(?:line|loss))?\b(?!s)${FILL}${MONEY}`,
    String.raw`\b(?:drops?|falls?|go|goes)\s(?:to|below|under)\s?${MONEY}`,
  ],
  approval: [
    String.raw`\b(?:ask|asks|approval|approve|confirm)\b[^\d.,;\n]{0,40}\b(?:above|over|beyond|more than|from)\b:?\s?${MONEY}`,
    String.raw`\b(?:above|over|beyond|more than)\b\s?${MONEY}[^\d.,;\n]{0,20}\b(?:ask|approval|approve|confirm)\b`,
  ],
  noApproval: [
    String.raw`\b(?:(?:do not|don['’]t|never) ask|(?:no|without) approvals?)\b[^\d.,;\n]{0,30}\b(?:below|under|up to|less than)\b\s?${MONEY}`,
  ],
  rate: [String.raw`${MONEY}\s?(?:per|each|every|an?|/)\s?(?:hour|week|month)\b`],
  budget: [
    String.raw`\b(?:budget|capital|deposit|invest|fund|total)\b${FILL}${MONEY}`,
    String.raw`${MONEY}\s?${OF_BUDGET}`,
    String.raw`\b(?:with|use|put(?: in)?|up to)\b\s?${MONEY}`,
  ],
} as const

/** Words of caution. */
export const CAUTION = /\b(?:careful(?:ly)?|cautious(?:ly)?|conservative(?:ly)?|safe(?:ly)?|low[ -]risk|small steps)\b/i
/** The owner wants to be asked about every call. */
export const ASK_ALWAYS =
  /\b(?:always ask|ask (?:me )?(?:first|(?:for|about) (?:everything|(?:each|every|any|all)\b(?: \w+)?)|before (?:each|every|any)(?: \w+)?|each time|every time)|approve (?:every|each)(?:thing| \w+)?)\b/i
/** The owner wants to be asked about none. */
export const ASK_NEVER = /\b(?:no approvals?|without (?:asking|approval)|(?:do not|don['’]t|never) ask)\b/i
const NONE = String.raw`\b(?:no|zero|without(?: an?| any)?)`
/** The stop line is off. */
export const NO_STOP = new RegExp(String.raw`${NONE} stop(?:[ -]?(?:line|loss))?\b`, 'i')
/** The fee is nothing. */
export const NO_FEE = new RegExp(String.raw`${NONE} fees?\b`, 'i')
const SHARE = String.raw`${START}(\d{1,5}(?:\.\d{1,2})?)\s?(%|percent|bps)`
/** A share with its unit, in groups 1 and 2 or 3 and 4. */
export const FEE = new RegExp(
  String.raw`\b(?:fee|profit share)\b[^\d.,;\n]{0,20}${SHARE}|${SHARE}\s?(?:(?:[a-z]{1,15} )?fee\b|of (?:the )?profits?\b)`,
  'i',
)
/** Numbers in words, from one on. */
export const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const
/**
 * A length of time: a number in group 1 or a word for one in group 2, and its unit in group 3. How often is not how long:
 * "2 trades a day", "every 6 hours".
 */
export const DURATION = new RegExp(
  String.raw`${START}(?<!\b(?:every|each|per)\s)(?:(\d{1,4})|(${COUNTS.join('|')}|(?<=\b(?:for|within|over)\s)an?))[ -]?(minute|hour|day|week|month|year)s?\b(?!\s?cap)`,
  'i',
)
/** An end as a date, in group 1. */
export const UNTIL = /\b(?:until|till|by|ends?(?: on)?)\s+(\d{4}-\d{2}-\d{2})\b/i
/** The name of the mandate, in group 1. */
export const NAME = /\b(?:called|named)\s+["“']([^"”'\n]{1,60})["”']/i
