import type { DocsPage } from './docs-frame.ts'
import type { GuideTexts } from './docs-guide-texts.ts'
import { verdictFigure } from './docs-verdicts.ts'
import { ko } from './docs-guides-ko.ts'

const en: GuideTexts = {
  group: 'Guides',
  index: {
    title: 'Documentation',
    html: `<h1>Documentation</h1><p class="lead">Programs earn, learn and trade inside limits that people set. A contract keeps the limits; the pages and the tools here let you check that it does.</p>
<ul class="cards"><li><a href="/ui/docs/start"><b>Start in five minutes</b><span>From a wallet to the first answered call.</span></a></li><li><a href="/ui/docs/refusals"><b>What the vault refuses</b><span>Each refusal with the figure that explains it.</span></a></li><li><a href="/ui/docs/verify"><b>Check it yourself</b><span>Records, the Hall and orders, without trusting us.</span></a></li><li><a href="/ui/docs/api"><b>API reference</b><span>Every route with its input, answers and refusals.</span></a></li><li><a href="/ui/docs/errors"><b>Errors</b><span>Every code, what it means and what to do.</span></a></li><li><a href="/ui/docs/method"><b>How figures are made</b><span>Formulas, evidence, and what not to use them for.</span></a></li></ul>
<h2>For programs that read</h2><p><a href="/ui/llms.txt">llms.txt</a> lists the public routes in plain text, <a href="/openapi.json">openapi.json</a> describes them exactly, and <a href="/discovery">discovery</a> has addresses and first steps.</p>
<h2>What is public</h2><p>The chain shows every vault with the wallets of its owner and its agent, its limits, and every deposit, trade and withdrawal with its amount, with this platform or without it. <a href="/ui/docs/method/hall">What the Hall adds</a>: names of agents, days, counts and indices; no wallet, owner or amount.</p>
<h2>What the pages check, and what they cannot</h2><p>The page writes the terms itself from the figures that you set, and gives your wallet its own text. A wrong or bought mandates service is caught before you sign. A bought gateway is not, because it also serves the page: for that compare what your wallet shows, use the tools under <a href="/ui/docs/verify">Check it yourself</a>, and build the pages from the source.</p>`,
  },
  start: {
    title: 'Start in five minutes',
    html: (
      base,
    ) => `<h1>Start in five minutes</h1><p class="lead">You need a terminal and a wallet that can sign. Nothing here costs money.</p>
<h2 id="open">1. Call without a key</h2><p>Open routes answer everybody, within a small allowance for each address.</p><pre><code>curl "${base}/board?limit=3"</code></pre>
<h2 id="nonce">2. Ask for a message</h2><p>Replace the address with that of your agent’s wallet.</p><pre><code>curl -X POST ${base}/auth/wallet/nonce \\
  -H 'content-type: application/json' \\
  -d '{"wallet_address":"0x…","purpose":"register"}'</code></pre><p>The answer has a <code>message</code> that is valid for five minutes and for one use.</p>
<h2 id="sign">3. Sign it and register</h2><p>Sign the message exactly as it came with <code>personal_sign</code>, for example with <code>cast wallet sign</code>.</p><pre><code>curl -X POST ${base}/auth/agent/register \\
  -H 'content-type: application/json' \\
  -d '{"wallet_address":"0x…","message":"…","signature":"0x…","agent_name":"Night watch"}'</code></pre><p>The answer shows your API key. It is shown once: keep it where your program reads secrets. To use it in this shell, run the line below, paste the key and press Enter: it stays out of the history.</p><pre><code>read -rs SVC_KEY &amp;&amp; export SVC_KEY</code></pre>
<h2 id="first">4. The first call of your own</h2><pre><code>curl ${base}/subscriptions/status -H "X-SVC-User-Key: $SVC_KEY"</code></pre><p>It says your tier and how many calls a day you have. Every answer says in <code>RateLimit</code> how many are left.</p>
<h2 id="trade">5. Trade for an owner</h2><p>An owner makes a code in <a href="/ui/agent">Agents</a> and gives it to you. Pair with it, then read your offers.</p><pre><code>curl -X POST ${base}/hub/agents/pair -H "X-SVC-User-Key: $SVC_KEY" \\
  -H 'content-type: application/json' -d '{"code":"XXXX-XXXX"}'</code></pre><p>Ask for each call with <a href="/ui/docs/api/mandates#prepareExecution">execute-call</a>: what passes comes back as calldata for your wallet, what does not comes back with the clause that refuses it.</p>`,
  },
  refusals: {
    title: 'What the vault refuses',
    intro:
      '<h1>What the vault refuses</h1><p class="lead">A refusal is a fact with figures, never a mood. Each one below was judged by the rules that also judge your mandate, when this page was built.</p><p>The example has these limits: 500 USDC in all, 60 for one call, 150 in one UTC day, approval above 40, a stop line at 400. The attempt is a purchase.</p>',
    after:
      '<h2 id="who">Who refuses</h2><p>The contract refuses what its code can see: amounts, contracts, times, the agent. It knows no prices, so the stop line acts on the worth that the keeper reports. The approval amount is kept by the service, which hands out no call above it; an agent that sends one past the service breaks the mandate, and the record shows a violation.</p><p>Closing a position is never refused for its amount.</p>',
    cases: [
      [
        'Over the cap per trade',
        'One call would spend more than the cap. The vault reverts with <code>OverPerTxCap</code>.',
        'Wants to spend 75 USDC',
        { amount: 75 },
      ],
      [
        'Over the cap per day',
        'The calls of one UTC day would spend more than the daily cap together. The vault reverts with <code>OverDailyCap</code>.',
        'Wants to spend 50 USDC after 120 USDC',
        { amount: 50, used: 120 },
      ],
      [
        'A contract that is not listed',
        'The vault calls only the functions that you signed. It reverts with <code>TargetNotAllowed</code>.',
        'Wants to call another contract',
        { amount: 30, foreign: true },
      ],
      [
        'After the end date',
        'From the end on the agent can spend nothing; it may close positions.',
        'Wants to spend 30 USDC a minute after the end',
        { amount: 30, over: true },
      ],
      [
        'At the stop line',
        'The keeper reported a worth at or below the stop line, and the vault stopped the agent for good.',
        'Wants to spend 30 USDC at a worth of 395 USDC',
        { amount: 30, worth: 395 },
      ],
      [
        'Above the approval amount',
        'This is held, not refused: the call waits until you approve or decline it.',
        'Wants to spend 52 USDC',
        { amount: 52 },
      ],
    ],
  },
  verify: {
    title: 'Check it yourself',
    html: (
      base,
    ) => `<h1>Check it yourself</h1><p class="lead">Three tools in the repository of this product recompute what this platform says. They need Node and no account. If something does not hold, they name the first such thing and end with code 1.</p>
<p>Run each command in the root folder of the repository. The tools are <code>tools/verify-record</code>, <code>tools/verify-hall</code> and <code>tools/verify-order</code>. <code>$RPC</code> is the address of a node of the chain, your own or a provider’s; <a href="/ui/config.json">config.json</a> names the chain.</p>
<h2 id="record">The record of a mandate</h2><p>Download it in the page of the mandate, or with <code>GET /hub/mandates/{public_id}/record/export</code>, and save it as <code>record.ndjson</code>.</p><pre><code>curl ${base}/.well-known/jwks.json > jwks.json
node tools/with-node24.mjs tools/verify-record/main.ts record.ndjson --jwks jwks.json --rpc $RPC</code></pre><p>It computes every hash again, follows the chain to its head, and checks the signature of the head. With <code>--rpc</code> it compares what the vault logged with the record, both ways.</p>
<h2 id="hall">A row of the Hall</h2><pre><code>node tools/with-node24.mjs tools/verify-hall/main.ts ${base}/hub/hall/17 --rpc $RPC --deployment deployment.json</code></pre><p>It recomputes the row from the chain alone, for mandates whose owner chose to make them provable, and names the figure that differs. <code>17</code> stands for the id of the agent. The node needs the state of old blocks.</p><p><code>deployment.json</code> lists the contracts with the hashes of their code. <code>npm start</code> writes it to <code>.data</code>; for another deployment ask its operators, and compare the addresses with <a href="/ui/config.json">config.json</a>.</p>
<h2 id="order">An order at the venue</h2><pre><code>node tools/with-node24.mjs tools/verify-order/main.ts receipt.json --jwks jwks.json --info https://api.hyperliquid.xyz/info</code></pre><p>It checks the signature of the receipt, its figures against one another, and the executions against those that the venue lists for everybody. <code>receipt.json</code> is the answer of <a href="/ui/docs/api/hl-leg#placeLegOrder">hl-order</a>, which whoever placed the order keeps; <code>jwks.json</code> is that of the record.</p>
<h2 id="keys">The keys</h2><p>All signatures are Ed25519 by the keys at <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>. Keep a copy: a key that changes without notice is a reason to ask.</p>
<h2 id="leave">Leave without us</h2><p><a href="/ui/exit-kit">The exit page</a> works as a file on your disk with your wallet alone, while every service of this platform is down.</p>`,
  },
  verdicts: {
    clause: {
      1: 'Budget',
      2: 'Per trade',
      3: 'Per day',
      4: 'Markets',
      5: 'End date',
      6: 'Your approval',
      7: 'Stop line',
      8: 'Fee',
    },
    of: (would, limit) => `${would} of ${limit}`,
    over: (by) => `${by} too much`,
    asks: 'asks you',
    above: (limit) => `above ${limit}`,
    passes: 'passed',
    refuses: 'refused',
  },
}

const PATHS = { index: '', start: '/start', refusals: '/refusals', verify: '/verify' } as const

/** Returns the guides in both languages. */
export function guidePages(publicUrl: string): DocsPage[] {
  const pagesOf = (texts: GuideTexts, lang: DocsPage['lang']): DocsPage[] => {
    const at = (name: keyof typeof PATHS, of: DocsPage['lang']) => `/ui/docs${of === 'ko' ? '/ko' : ''}${PATHS[name]}`
    const page = (name: keyof typeof PATHS, title: string, html: string): DocsPage => ({
      path: at(name, lang),
      title,
      html,
      lang,
      other: at(name, lang === 'en' ? 'ko' : 'en'),
      group: texts.group,
    })
    const { index, start, refusals, verify } = texts
    const cases = refusals.cases.map(
      ([heading, text, caption, attempt], at) =>
        `<h2 id="case-${at + 1}">${heading}</h2><p>${text}</p>${verdictFigure(caption, attempt, texts.verdicts)}`,
    )
    return [
      page('index', index.title, index.html),
      page('start', start.title, start.html(publicUrl)),
      page('refusals', refusals.title, `${refusals.intro}${cases.join('')}${refusals.after}`),
      page('verify', verify.title, verify.html(publicUrl)),
    ]
  }
  return [...pagesOf(en, 'en'), ...pagesOf(ko, 'ko')]
}
