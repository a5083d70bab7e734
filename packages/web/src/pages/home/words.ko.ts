import type { Words } from './words.ts'

export const ko: Words = {
  title: '거래는 프로그램에게, 한도는 내가',
  headline: ['거래는 프로그램에게.', '한도는 내가.'],
  lead: '얼마까지, 얼마나 자주, 어디에서, 언제까지인지 직접 정하세요. 자금은 체인의 컨트랙트에 있고, 한도를 벗어난 주문은 컨트랙트가 거부합니다. 언제든 중지할 수 있습니다.',
  start: '한도 정하기',
  hall: '에이전트 기록 보기',
  breakIt: {
    title: '한도를 넘겨 보세요',
    tries: '에이전트가 쓰려는 금액',
    slider: '시도할 금액',
    told: (amount, verdict) => `${amount} USDC, ${verdict}`,
    perTrade: '1회 한도',
    perDay: '1일 한도',
    usedToday: (used) => `오늘 이미 ${used} USDC를 사용했습니다.`,
    passes: '모든 한도 안에 있어 컨트랙트가 통과시킵니다.',
    asks: (above) => `${above} USDC를 넘으면 승인을 기다립니다. 컨트랙트가 아니라 저희 가드가 보류합니다.`,
    refused: (error) => `컨트랙트의 응답은 ${error}입니다. 한 푼도 움직이지 않습니다.`,
    refusedPlain: '컨트랙트가 거부합니다. 한 푼도 움직이지 않습니다.',
    same: '같은 규칙이 이 페이지, 저희 서비스, 컨트랙트에서 똑같이 실행됩니다.',
  },
  doors: {
    title: '시작하는 네 가지 방법',
    status: { live: '실거래', paper: '모의', testnet: '테스트넷', locked: '잠김' },
    open: '시작하기',
    needs: '필요한 것',
    empty: {
      own_bot: '',
      house_strategy: '지금은 선택할 수 있는 전략이 없습니다.',
      copy_signals: '지금은 신호를 제공하는 운용자가 없습니다.',
      operator_vault: '',
    },
    of: {
      own_bot: { title: '내 봇 연결', line: '이미 운영 중인 프로그램에 한도가 있는 금고를 맡기세요.' },
      house_strategy: { title: '하우스 전략', line: '저희 전략을 내 한도로, 내 계좌에서 운용합니다.' },
      copy_signals: { title: '신호 따라 하기', line: '기록을 확인할 수 있는 운용자를 따라갑니다.' },
      operator_vault: { title: '운용자 금고', line: '여러 사람의 자금을 한 금고에서 운용합니다.' },
    },
  },
  data: {
    title: '에이전트가 읽는 데이터',
    said: '토큰 보드의 페어별 등급과 산출 근거, 위기 알림, 상장 폐지 위험, 차익 기회, 리포트를 제공합니다. 에이전트는 근거와 함께 정보를 제출해 이용 권한을 얻거나 등급을 구매합니다.',
    board: '토큰 보드 열기',
    agents: '내 에이전트',
  },
  proof: {
    title: '체인에서 집계한 수치',
    working: '운용 중인 위임',
    refused: '체인이 거부한 호출',
    inside: '한도를 지킨 날',
    verifiable: '누구나 검증하도록 공개된 기록',
    computed: (age) => `${age} 집계`,
  },
  day: {
    title: '급락한 날 다시 보기',
    made: '가상의 시장입니다. 시험용 거래소가 만든 급락이며, 경보는 실제 규칙이 냈고 각 단계는 금고의 규칙으로 이 페이지에서 판정합니다.',
    recorded:
      '실제 기록된 가격이며 공개할 수 없어 이 서버에 있는 자료로만 재생합니다. 경보는 실제 규칙이 냈고 각 단계는 금고의 규칙으로 이 페이지에서 판정합니다.',
    which: '어느 날',
    kind: { made: '가상', recorded: '실제 기록' },
    about: (symbol, pairs) => `${symbol}, 다른 ${pairs - 1}개 종목과 비교`,
    play: '재생',
    again: '다시 재생',
    pause: '일시 정지',
    minute: '경과 시간(분)',
    worth: '평가액',
    stopLine: '손실 제한선',
    chart: (worth, line) => `평가액 ${worth} USDC, 손실 제한선 ${line} USDC`,
    nothing: '아직 아무 일도 없습니다.',
    alert: (own, market) => `경보: 1시간 동안 ${own}, 시장은 ${market}`,
    passed: (amount) => `에이전트가 ${amount} USDC어치를 매수합니다`,
    asked: (amount) => `에이전트가 ${amount} USDC어치를 매수하려 합니다: 먼저 승인을 요청합니다`,
    refused: (amount) => `에이전트가 ${amount} USDC어치를 매수하려 합니다: 거부`,
    stopped: (worth) => `평가액 ${worth} USDC: 금고가 에이전트를 영구히 차단합니다`,
  },
  ftx: {
    title: '실제로 있었던 날',
    when: '2022-11-09 02:32 UTC',
    alert: '조건이 성립한 그 순간 FTT에 첫 경보가 났습니다.',
    hour: '1시간 동안 FTT',
    market: '같은 시간 시장',
    pairs: '감시한 종목',
    episodes: '경보, 모두 FTT',
    method: '측정 방법',
    license: '기록된 가격은 공개할 권리가 없어 사실만 적습니다.',
  },
  said: {
    'Vaults are on a main network: they hold real money.': '금고는 메인 네트워크에 있으며 실제 돈을 보관합니다.',
    'Vaults are on a test chain: they hold test money.': '금고는 테스트 체인에 있으며 테스트 자금을 보관합니다.',
    'This deployment has no vault factory.': '이 서비스에는 금고 팩토리가 없습니다.',
    'The house runner trades in accounts of the test network of the venue.':
      '하우스 러너는 거래소 테스트 네트워크의 계좌에서 거래합니다.',
    'This deployment has no house runner: results are those of paper books, without money.':
      '여기에는 하우스 러너가 없어 모의 장부의 결과만 있습니다.',
    "This deployment does not let mandates trade on the venue's test network: results are those of paper books, without money.":
      '이 서비스의 위임은 거래소 테스트넷에서 거래하지 않으므로 모의 장부의 결과만 있습니다.',
    'The house runner follows the signals of an operator in accounts of the test network of the venue.':
      '하우스 러너가 거래소 테스트 네트워크의 계좌에서 운용자의 신호를 따라 거래합니다.',
    'This deployment has no house runner: signals fill paper books only, without money.':
      '여기에는 하우스 러너가 없어 신호는 모의 장부에만 반영됩니다.',
    "This deployment does not let mandates trade on the venue's test network: signals fill paper books only, without money.":
      '이 서비스의 위임은 거래소 테스트넷에서 거래하지 않으므로 신호는 모의 장부에만 반영됩니다.',
    'Live orders of linked accounts go to a simulated venue, with play money':
      '연결된 계좌의 실거래 주문은 이 서버의 가상 거래소로 전송되며 모의 자금만 씁니다',
    'Paper orders fill against a simulated order book': '모의 주문은 가상 호가로 체결됩니다',
    "Mandates may trade in their owner's account at the simulated venue":
      '위임으로 가상 거래소에 있는 소유자 계좌에서 거래할 수 있습니다',
    'A simulator answers; its prices are made up': '가상 거래소가 응답하며 시세도 가상입니다',
    'The publishing of signals is switched off in this deployment.': '이 서비스에서는 신호를 공개할 수 없습니다.',
    'Deposits of real money into the vault of an operator are not open.':
      '운용자의 금고에 실제 돈을 예치하는 기능은 아직 열리지 않았습니다.',
    'A wallet of the owner': '소유자의 지갑',
    'A registered agent that is paired with the owner': '등록하고 소유자와 연결한 에이전트',
    'A wallet of the owner with a key': '키가 있는 소유자의 지갑',
    'An account at the test network of the venue, approved for the leg':
      '레그 사용을 승인한 거래소 테스트 네트워크의 계좌',
    'A mandate whose agent is the house runner': '하우스 러너를 에이전트로 지정한 위임',
    'Cherry for the signals of a paid listing': '유료 신호를 볼 체리',
    "Live orders of linked accounts go to the venue's testnet":
      '연결된 계좌의 실거래 주문은 거래소 테스트넷으로 갑니다',
    "Live orders of linked accounts go to the venue's mainnet": '연결된 계좌의 실거래 주문은 거래소 메인넷으로 갑니다',
    'Live orders are switched off; closes of linked accounts still go through':
      '실거래 주문은 꺼져 있으며, 연결된 계좌의 청산은 가능합니다',
    'Paper orders fill on the book of the venue': '모의 주문은 거래소의 호가로 체결됩니다',
    "Mandates may trade in their owner's account at the venue": '위임으로 소유자의 거래소 계좌에서 거래할 수 있습니다',
    "Mandates cannot trade in their owner's account at the venue":
      '위임으로 소유자의 거래소 계좌에서 거래할 수 없습니다',
    "Vaults fund their owner's account with test money": '금고가 소유자의 계좌에 테스트 자금을 보냅니다',
    "Vaults do not fund their owner's account": '금고가 소유자의 계좌에 자금을 보내지 않습니다',
    'The venue answers': '거래소가 응답합니다',
    'The venue does not answer; prices are copies of up to ten minutes':
      '거래소가 응답하지 않아 최대 10분 전 시세를 보여 드립니다',
    'A wallet with a mandate gets its first test ETH here': '위임이 있는 지갑은 여기서 첫 테스트 ETH를 받습니다',
    'The gas drip is switched off': '가스비 지원이 꺼져 있습니다',
    'Operators publish signals': '운용자가 신호를 공개합니다',
    'Operators cannot publish signals now': '지금은 운용자가 신호를 공개할 수 없습니다',
  },
  station: {
    title: '현재 가동 상태',
    on: '켜짐',
    off: '꺼짐',
    of: {
      live_trading: '실거래 주문',
      paper_trading: '모의 주문',
      hl_leg: '무기한 선물 거래소 운용',
      leg_funding: '거래소로 자금 이체',
      relay: '거래소 시세 수신',
      gas_drip: '첫 가스비 지원',
      signals: '운용자 신호',
    },
    computed: (age) => `${age} 기준`,
  },
}
