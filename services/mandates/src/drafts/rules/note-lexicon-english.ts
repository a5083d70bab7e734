import { filler, MINUTES, strong, weak, type Meaning, type Rule } from './note-tokens.ts'

const TRADE = String.raw`(?:trades?|transactions?|txs?|orders?|buys?|purchases?|swaps?|calls?|deals?|positions?)`
const EACH = String.raw`(?:per|each|every|for each|for every|in each|in any one|any single|any one|a single|single)`
const UNIT = String.raw`(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)`
const FEW = String.raw`(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|other|few|couple)`
const SPEND = String.raw`(?:spend|use|put|trade|go|risk|invest|buy|pay|deposit|let it spend)`
const NOT = String.raw`(?:do not|don['’]?t|does not|doesn['’]?t|must not|mustn['’]?t|may not|should not|shouldn['’]?t|shall not|can not|cannot|can['’]?t|will not|won['’]?t|never|not|no)`
const ARTICLE = String.raw`(?:(?:an?|any|the) )?`

/** Phrases and words in the order of matching. Only whole words match. */
const PHRASES: readonly (readonly [string, Meaning])[] = [
  // Phrases that set a limit without an amount.
  [`(?:no|zero|without ${ARTICLE})\\s?stop(?:[ -]?(?:line|loss))?`, { kind: 'noStop' }],
  [`(?:no|zero|without ${ARTICLE})\\s?(?:performance )?fees?`, { kind: 'noFee' }],
  [
    `(?:no|without ${ARTICLE}|without|zero|ignore (?:all |any |the |every )?)\\s?(?:\\w+ )?(?:limits?|caps?|ceilings?|maximum|restrictions?)`,
    strong('noLimit'),
  ],
  [
    String.raw`unlimited|limitless|uncapped|infinite|infinity|any amount|as much as(?: \w+){0,3}|all in|whatever it takes|(?:spend|use|go|trade|risk|put in) (?:more|higher|bigger|beyond)|(?:as|if|when|whenever) (?:needed|necessary|you like|you want)|everything i have`,
    strong('noLimit'),
  ],
  // Quantities without a number.
  [
    String.raw`half|halve|quarters?|thirds?|twice|thrice|double|doubled|triple|quadruple|dozens?|hundreds?|thousands?|millions?|billions?|times|leverage|leveraged|multiple|fractions?|fifth|tenth`,
    strong('vague'),
  ],
  [
    String.raw`about|around|roughly|approximately|approx|circa|nearly|almost|or so|ish|give or take|at least|minimum|min|no less than|not less than|or more than`,
    weak('vague'),
  ],
  // Bounds.
  [
    `(?:no|not|never)(?: ${SPEND})?(?: any)? (?:more|larger|bigger|higher|greater) than|${NOT}(?: to)? (?:exceed|go (?:over|above|beyond)|be (?:over|above|more than))|not exceeding|without exceeding|not to exceed|(?:never|not) (?:over|above|beyond)`,
    weak('limit'),
  ],
  [
    String.raw`at (?:the )?most|up to|caps?|capped(?: at)?|limits?|limited(?: to)?|max(?:imum|imal)?|maximally|ceilings?|<=|≤`,
    strong('limit'),
  ],
  [String.raw`or less|only|just|within(?! (?:an?|the|\d+|\w+ (?:minute|hour|day|week|month|year)))`, weak('limit')],
  [
    String.raw`(?:drops?|falls?|go(?:es)?|dips?|sinks?|declines?|is|gets?)(?: back)? (?:down )?(?:to|below|under)`,
    weak('stopLine'),
  ],
  [String.raw`under|below|less than|lower than|smaller than|<(?=\s?\$?\d)`, weak('below')],
  [String.raw`and (?:up|above|over|more)|or (?:more|above|over)|from|starting (?:at|from)|>=|≥`, weak('from')],
  [
    String.raw`above|over|beyond|more than|greater than|larger than|bigger than|exceeds?|exceeding|higher than|>(?=\s?\$?\d)`,
    weak('above'),
  ],
  // Rates and durations.
  [`(?:per|each|every|/)\\s?${FEW} ${UNIT}`, strong('otherPeriod')],
  [
    String.raw`(?:per|each|every|an?|any|in any|in a single|/)\s?day|daily|24h|per 24 hours|day[ -]by[ -]day|in one day|each and every day`,
    strong('day'),
  ],
  [
    `(?:for|within|over|in|after|lasting|during)(?: the)?(?: next)?(?: an?| one)? ${'day'}`,
    { kind: 'end', minutes: MINUTES.day },
  ],
  [
    `(?:for|within|over|in|after|lasting|during)(?: the)?(?: next)?(?: an?)? ${'hour'}`,
    { kind: 'end', minutes: MINUTES.hour },
  ],
  [
    `(?:for|within|over|in|after|lasting|during)(?: the)?(?: next)?(?: an?)? ${'week'}`,
    { kind: 'end', minutes: MINUTES.week },
  ],
  [
    `(?:for|within|over|in|after|lasting|during)(?: the)?(?: next)?(?: an?)? ${'month'}`,
    { kind: 'end', minutes: MINUTES.month },
  ],
  [
    `(?:for|within|over|in|after|lasting|during)(?: the)?(?: next)?(?: an?)? ${'year'}`,
    { kind: 'end', minutes: MINUTES.year },
  ],
  [
    String.raw`(?:per|each|every|an?|any|/)\s?(?:minute|hour|week|month|quarter|year)|(?:per|each|every|/)\s?(?:weekend|block|session)|hourly|weekly|monthly|yearly|annually|annual|per annum`,
    strong('otherPeriod'),
  ],
  [String.raw`/\s?day(?![a-z])`, strong('day')],
  [`/\\s?${TRADE}(?![a-z])`, strong('tx')],
  [String.raw`/\s?(?:minute|hour|week|month|quarter|year)(?![a-z])`, strong('otherPeriod')],
  // Limits.
  [
    `${EACH}[ -](?:individual |single )?${TRADE}|(?:an?|/|one)\\s?${TRADE}(?! (?:a|per|each|every))|each time|every time|at (?:a|any one|one) time|at once|per[ -]?(?:trade|transaction|tx|order)|trade size|order size|position size|max[ -]?${TRADE}`,
    strong('tx'),
  ],
  [String.raw`stop[ -]?loss(?:es)?`, strong('stopLoss')],
  [String.raw`stop[ -]?line|worth line`, strong('stopLine')],
  // "Stop at 400" is a worth; a percentage may be a worth or a loss.
  [String.raw`stop(?: trading)? at(?![^,;\n]{0,40}(?:%|percent))`, strong('stopLine')],
  [String.raw`stop(?: trading| everything| it all)?|halt|exit`, strong('stop')],
  [String.raw`lose|losing|loss(?:es)?|drawdown|max dd`, strong('loss')],
  [String.raw`low[ -]risk|careful(?:ly)?|cautious(?:ly)?|conservative(?:ly)?|safe(?:ly)?|small steps`, filler],
  [
    String.raw`risk|(?:drops?|falls?|declines?|(?:am|i['’]m|is|it['’]s|goes|are|we['’]re) down|down)(?: by)?`,
    weak('loss'),
  ],
  [String.raw`(?:always|first|everything|before (?:each|every|any)(?: \w+)?)`, weak('always')],
  [
    String.raw`ask(?:s|ing)?|approvals?|approve[sd]?|confirm(?:s|ation)?(?: with me)?|permission|sign[ -]?off|check with me`,
    strong('approval'),
  ],
  [String.raw`of (?:the |any |my |all )?(?:profits?|gains?)`, weak('profit')],
  [String.raw`(?:performance |management |success |agent )?fees?|commission|profit share`, strong('fee')],
  [String.raw`budgets?`, strong('budget')],
  [String.raw`capital|overall|in total|altogether|in all|total|funds?|funding`, weak('budget')],
  [String.raw`with|use|using|put(?: in)?|invest|deposit|spend|spending|allocate|give|pay(?: in)?`, weak('give')],
  [String.raw`until|till|ends? on|ending(?: on)?|expires?(?: on)?|expiry|by`, weak('until')],
  [
    `${NOT}|without|none|nothing|neither|nor|except(?: for)?|excluding|exclude|avoid|other than|instead of|isn['’]?t|aren['’]?t`,
    weak('not'),
  ],
  [String.raw`per|each|every`, strong('otherPeriod')],
  // Ends of clauses.
  [String.raw`and|but|then|also|plus|while|with a(?:nd)?`, { kind: 'break' }],
  [
    String.raw`(?:an?(?! (?:hundred|thousand|grand))|the|my|me|i|i['’]d|i['’]ll|we|our|you|your|it|its|this|that|is|are|be|to|of|for|on|in|into|at|as|so|if|when|once|please|want|would|like|should|shall|must|may|can|could|will|let|set|keep|make|have|run|start|trade|trading|trades|buy|buys|transactions?|orders?|tx|amount|amounts|size|value|worth|money|agent|mandate|vault|wallet|account|market|markets|venue|anything|any|all|needs?|requires?|there|do|go|goes|by|than|usdc|usd|dollars?|performance|threshold|level|trigger|period|duration|run|end|ends|term|per cent|exactly|precisely|strictly|equals?|max\.|mine|them|they|which|each other|share|rate|position|trading budget|or)`,
    filler,
  ],
]

const whole = (pattern: string): RegExp => new RegExp(String.raw`(?<![a-z0-9_])(?:${pattern})(?![a-z0-9])`, 'y')

/** Rules for English. If one phrase begins with another, the longer one comes first. */
export const ENGLISH: readonly Rule[] = PHRASES.map(([pattern, meaning]) => [
  /^[<>≤≥/]/.test(pattern) ? new RegExp(pattern, 'y') : whole(pattern),
  meaning,
])

/** Units of time after a number. */
export const ENGLISH_UNITS = /[ -]?(minute|hour|day|week|month|year)s?(?![a-z])/y
/** Units after a number that is not an amount of money. */
export const ENGLISH_COUNTED =
  /\s?(?:trades?|transactions?|orders?|buys?|purchases?|positions?|times?|calls?|swaps?|deals?|x|st|nd|rd|th|m|mn|bn|d|w|h|y|mo|hrs?|mins?|sec(?:ond)?s?)(?![a-z])/y
