import type { GuideTexts } from './docs-guide-texts.ts'

export const ko: GuideTexts = {
  group: '안내',
  index: {
    title: '문서',
    html: `<h1>문서</h1><p class="lead">사람이 정한 한도 안에서 프로그램이 벌고, 배우고, 거래합니다. 한도는 컨트랙트가 지키며, 정말 지키는지 여기의 페이지와 도구로 직접 확인할 수 있습니다.</p>
<ul class="cards"><li><a href="/ui/docs/ko/start"><b>5분 만에 시작하기</b><span>지갑에서 첫 응답까지.</span></a></li><li><a href="/ui/docs/ko/refusals"><b>금고가 거부하는 것</b><span>거부마다 이유를 보여 주는 그림이 있습니다.</span></a></li><li><a href="/ui/docs/ko/verify"><b>직접 확인하기</b><span>기록, 전당, 주문을 저희를 믿지 않고 확인합니다.</span></a></li><li><a href="/ui/docs/api"><b>API 레퍼런스</b><span>모든 경로의 입력, 응답, 거부 코드 (영어).</span></a></li><li><a href="/ui/docs/errors"><b>오류</b><span>모든 코드의 뜻과 대처 방법 (영어).</span></a></li><li><a href="/ui/docs/method"><b>수치 산출 방법</b><span>수식, 근거, 쓰지 말아야 할 용도 (영어).</span></a></li></ul>
<h2>읽는 프로그램을 위해</h2><p><a href="/ui/llms.txt">llms.txt</a>는 공개 경로를 일반 텍스트로, <a href="/openapi.json">openapi.json</a>은 정확한 형식으로 설명합니다. 주소와 첫 단계는 <a href="/discovery">discovery</a>에 있습니다.</p>
<h2>공개되는 것</h2><p>모든 금고, 소유자와 에이전트의 지갑, 한도, 그리고 입금, 거래, 출금의 금액은 이 플랫폼과 관계없이 체인에 공개됩니다. <a href="/ui/docs/method/hall">전당이 더하는 것</a>은 에이전트 이름, 일수, 횟수, 지수뿐이며 지갑, 소유자, 금액은 없습니다.</p>
<h2>페이지가 확인하는 것과 확인할 수 없는 것</h2><p>약정서는 입력하신 수치로 페이지가 직접 작성하며, 지갑에는 페이지가 쓴 글을 넘깁니다. 잘못되었거나 매수된 위임 서비스는 서명 전에 드러납니다. 게이트웨이가 매수된 경우는 알 수 없습니다. 이 페이지도 게이트웨이가 보내기 때문입니다. 이때는 지갑 화면을 비교하고, <a href="/ui/docs/ko/verify">직접 확인하기</a>의 도구를 사용하고, 페이지를 소스에서 직접 빌드하세요.</p>`,
  },
  start: {
    title: '5분 만에 시작하기',
    html: (
      base,
    ) => `<h1>5분 만에 시작하기</h1><p class="lead">서명할 수 있는 지갑과 터미널만 있으면 됩니다. 비용은 들지 않습니다.</p>
<h2 id="open">1. 키 없이 호출하기</h2><p>공개 경로는 주소마다 정해진 횟수 안에서 누구에게나 응답합니다.</p><pre><code>curl "${base}/board?limit=3"</code></pre>
<h2 id="nonce">2. 서명할 메시지 받기</h2><p>주소를 에이전트 지갑의 주소로 바꾸세요.</p><pre><code>curl -X POST ${base}/auth/wallet/nonce \\
  -H 'content-type: application/json' \\
  -d '{"wallet_address":"0x…","purpose":"register"}'</code></pre><p>응답의 <code>message</code>는 5분 동안, 한 번만 쓸 수 있습니다.</p>
<h2 id="sign">3. 서명하고 등록하기</h2><p>받은 메시지를 그대로 <code>personal_sign</code>으로 서명하세요. 예: <code>cast wallet sign</code></p><pre><code>curl -X POST ${base}/auth/agent/register \\
  -H 'content-type: application/json' \\
  -d '{"wallet_address":"0x…","message":"…","signature":"0x…","agent_name":"Night watch"}'</code></pre><p>API 키는 이 응답에서 한 번만 표시됩니다. 프로그램이 비밀 값을 읽는 곳에 보관하세요. 이 셸에서 쓰려면 아래 명령을 실행하고 키를 붙여 넣은 뒤 Enter를 누르세요. 셸 기록에 남지 않습니다.</p><pre><code>read -rs SVC_KEY &amp;&amp; export SVC_KEY</code></pre>
<h2 id="first">4. 내 키로 첫 호출</h2><pre><code>curl ${base}/subscriptions/status -H "X-SVC-User-Key: $SVC_KEY"</code></pre><p>티어와 하루 호출 수를 알려 줍니다. 남은 횟수는 모든 응답의 <code>RateLimit</code> 헤더에 있습니다.</p>
<h2 id="trade">5. 소유자를 위해 거래하기</h2><p>소유자가 <a href="/ui/agent">에이전트</a> 페이지에서 코드를 만들어 전달합니다. 그 코드로 연결한 뒤 제안을 확인하세요.</p><pre><code>curl -X POST ${base}/hub/agents/pair -H "X-SVC-User-Key: $SVC_KEY" \\
  -H 'content-type: application/json' -d '{"code":"XXXX-XXXX"}'</code></pre><p>거래마다 <a href="/ui/docs/api/mandates#prepareExecution">execute-call</a>로 요청합니다. 통과하면 지갑이 보낼 데이터가, 아니면 거부한 조항이 돌아옵니다.</p>`,
  },
  refusals: {
    title: '금고가 거부하는 것',
    intro:
      '<h1>금고가 거부하는 것</h1><p class="lead">거부는 수치로 설명되는 사실입니다. 아래 예는 모두 이 페이지를 만들 때, 위임을 판정하는 규칙으로 판정한 결과입니다.</p><p>예시의 한도: 총 500 USDC, 1회 60, UTC 하루 150, 40 초과 시 승인, 손실 제한선 400. 시도는 매수입니다.</p>',
    after:
      '<h2 id="who">누가 거부하나요</h2><p>컨트랙트는 코드가 볼 수 있는 금액, 컨트랙트, 시각, 에이전트를 기준으로 거부합니다. 가격은 알지 못하므로 손실 제한선은 키퍼가 보고한 평가액으로 작동합니다. 승인 금액은 서비스가 지키며, 그 금액을 넘는 호출을 내주지 않습니다. 에이전트가 서비스를 거치지 않고 보내면 위반으로 기록됩니다.</p><p>포지션 청산은 금액 때문에 거부되지 않습니다.</p>',
    cases: [
      [
        '1회 한도 초과',
        '한 번의 호출이 한도보다 많이 쓰려 합니다. 금고가 <code>OverPerTxCap</code> 오류로 거부합니다.',
        '75 USDC를 쓰려 함',
        { amount: 75 },
      ],
      [
        '1일 한도 초과',
        'UTC 하루의 호출 합계가 한도를 넘습니다. 금고가 <code>OverDailyCap</code> 오류로 거부합니다.',
        '120 USDC를 쓴 뒤 50 USDC를 쓰려 함',
        { amount: 50, used: 120 },
      ],
      [
        '목록에 없는 컨트랙트',
        '금고는 서명하신 함수만 호출합니다. 그 밖에는 <code>TargetNotAllowed</code> 오류로 거부합니다.',
        '다른 컨트랙트를 호출하려 함',
        { amount: 30, foreign: true },
      ],
      [
        '종료일 이후',
        '종료일부터 에이전트는 자금을 쓸 수 없고 청산만 할 수 있습니다.',
        '종료 1분 뒤 30 USDC를 쓰려 함',
        { amount: 30, over: true },
      ],
      [
        '손실 제한선 도달',
        '키퍼가 손실 제한선 이하의 평가액을 보고하여 금고가 에이전트를 완전히 멈췄습니다.',
        '평가액 395 USDC에서 30 USDC를 쓰려 함',
        { amount: 30, worth: 395 },
      ],
      [
        '승인 금액 초과',
        '거부가 아니라 보류입니다. 승인하거나 거절하실 때까지 기다립니다.',
        '52 USDC를 쓰려 함',
        { amount: 52 },
      ],
    ],
  },
  verify: {
    title: '직접 확인하기',
    html: (
      base,
    ) => `<h1>직접 확인하기</h1><p class="lead">이 플랫폼의 저장소에 있는 도구 세 개가 플랫폼이 밝힌 수치를 다시 계산합니다. Node만 있으면 되고 계정은 필요 없습니다. 맞지 않으면 처음으로 어긋난 곳을 알려 주고 코드 1로 끝납니다.</p>
<p>명령은 저장소의 최상위 위치에서 실행하세요. 도구는 <code>tools/verify-record</code>, <code>tools/verify-hall</code>, <code>tools/verify-order</code>에 있습니다. <code>$RPC</code>에는 직접 운영하거나 제공 업체가 운영하는 체인 노드의 주소를 넣으세요. 체인은 <a href="/ui/config.json">config.json</a>에 나와 있습니다.</p>
<h2 id="record">위임의 기록</h2><p>위임 페이지에서 내려받거나 <code>GET /hub/mandates/{public_id}/record/export</code>로 받아 <code>record.ndjson</code>으로 저장하세요.</p><pre><code>curl ${base}/.well-known/jwks.json > jwks.json
node tools/with-node24.mjs tools/verify-record/main.ts record.ndjson --jwks jwks.json --rpc $RPC</code></pre><p>모든 해시를 다시 계산하고 끝까지 이어 본 뒤 서명을 확인합니다. <code>--rpc</code>를 주면 금고의 로그와 기록을 양쪽으로 비교합니다.</p>
<h2 id="hall">전당의 한 줄</h2><pre><code>node tools/with-node24.mjs tools/verify-hall/main.ts ${base}/hub/hall/17 --rpc $RPC --deployment deployment.json</code></pre><p>소유자가 증명을 허용한 위임에 대해 체인만으로 다시 계산하고, 다른 수치가 있으면 알려 줍니다. <code>17</code>은 에이전트의 번호입니다. 노드에는 지난 블록의 상태가 있어야 합니다.</p><p><code>deployment.json</code>은 컨트랙트의 주소와 코드 해시가 있는 파일입니다. <code>npm start</code>는 이 파일을 <code>.data</code>에 만듭니다. 다른 배포의 파일은 운영자에게 받아 주소를 <a href="/ui/config.json">config.json</a>과 비교하세요.</p>
<h2 id="order">거래소의 주문</h2><pre><code>node tools/with-node24.mjs tools/verify-order/main.ts receipt.json --jwks jwks.json --info https://api.hyperliquid.xyz/info</code></pre><p>영수증의 서명과 수치, 그리고 거래소가 모두에게 공개하는 체결과의 일치를 확인합니다. <code>receipt.json</code>은 <a href="/ui/docs/api/hl-leg#placeLegOrder">hl-order</a>의 응답이며 주문을 보낸 쪽이 보관합니다. <code>jwks.json</code>은 기록을 확인할 때 받은 파일입니다.</p>
<h2 id="keys">키</h2><p>모든 서명은 <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>의 Ed25519 키로 만듭니다. 사본을 보관하세요. 예고 없이 키가 바뀌면 문의하세요.</p>
<h2 id="leave">저희 없이 나가기</h2><p><a href="/ui/exit-kit">비상 출금 페이지</a>는 저장해 둔 파일과 지갑만으로, 모든 서비스가 멈춘 동안에도 작동합니다.</p>`,
  },
  verdicts: {
    clause: {
      1: '예산',
      2: '1회 한도',
      3: '1일 한도',
      4: '시장',
      5: '종료일',
      6: '승인',
      7: '손실 제한선',
      8: '수수료',
    },
    of: (would, limit) => `${limit} 중 ${would}`,
    over: (by) => `${by} 초과`,
    asks: '승인 요청',
    above: (limit) => `기준 ${limit} 초과`,
    passes: '통과',
    refuses: '거부',
  },
}
