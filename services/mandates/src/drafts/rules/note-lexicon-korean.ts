import { filler, MINUTES, strong, weak, type Meaning, type Rule } from './note-tokens.ts'

const PHRASES: readonly (readonly [string, Meaning])[] = [
  [String.raw`(?:손절|스탑|중단)(?:선|라인)?(?:은|는|이)? ?(?:없이|없음|없고|없다|안 함)`, { kind: 'noStop' }],
  [String.raw`수수료(?:는|가)? ?(?:없이|없음|없고|없다|무료|안 냄)|무수수료`, { kind: 'noFee' }],
  [
    String.raw`무제한|무한|한도 ?없이|한도 ?없음|한도(?:는|가) ?없[가-힣]*|제한 ?없이|제한 ?없음|제한(?:은|이) ?없[가-힣]*|얼마든지|더 ?(?:써|쓰|사용|투자)[가-힣]*|필요하면|알아서|전부 ?다|올인|마음대로|원하는 만큼`,
    strong('noLimit'),
  ],
  [String.raw`절반|(?:두|세|네|몇|\d+) ?배|반반|레버리지|수백|수천|수만|몇 ?(?:백|천|만|십)|여러`, strong('vague')],
  [String.raw`약(?= ?[\d일이삼사오육칠팔구십백천만])|대략|대충|쯤|정도|가량|남짓|최소(?:한)?|적어도`, weak('vague')],
  // Rates and durations.
  [
    String.raw`한 ?번(?:에|당)|한번(?:에|당)|1 ?회(?:에|당)?(?!만)|1 ?건(?:에|당)?(?!만)|건당|건마다|회당|번당|거래당|거래 ?한 ?건(?:당|에)?|매 ?거래|거래마다|거래별|주문당|주문마다|트레이드당|매회|매번|한 ?거래(?:에|당)?|한 ?건(?:에|당)`,
    strong('tx'),
  ],
  [String.raw`하루 ?동안|하루간|하루만`, { kind: 'end', minutes: MINUTES.day }],
  [String.raw`하루에|하루당|하루|일일|매일|날마다|1일(?:에|당)|1일 ?(?=한도|최대)|일별`, strong('day')],
  [
    String.raw`(?:일주일|한 ?주|1주|1주일)(?:에|당|마다)|매주|주간 한도|주당|(?:한 ?달|1개월)(?:에|당|마다)|매달|매월|월간|월 ?한도|월(?= ?[\d일이삼사오육칠팔구십백천만])|시간당|시간마다|매시간|매시|분당|분기마다|연간|매년|[\d두세네]+ ?(?:일|주|주일|시간|개월|달)(?:에|마다|당)`,
    strong('otherPeriod'),
  ],
  [String.raw`일주일|한 ?주`, { kind: 'end', minutes: MINUTES.week }],
  [String.raw`한 ?달|한 ?개월`, { kind: 'end', minutes: MINUTES.month }],
  [String.raw`두 ?달`, { kind: 'end', minutes: 2 * MINUTES.month }],
  [String.raw`세 ?달|석 ?달`, { kind: 'end', minutes: 3 * MINUTES.month }],
  [String.raw`두 ?주`, { kind: 'end', minutes: 2 * MINUTES.week }],
  [String.raw`세 ?주`, { kind: 'end', minutes: 3 * MINUTES.week }],
  [String.raw`이틀`, { kind: 'end', minutes: 2 * MINUTES.day }],
  [String.raw`사흘`, { kind: 'end', minutes: 3 * MINUTES.day }],
  [String.raw`열흘`, { kind: 'end', minutes: 10 * MINUTES.day }],
  [String.raw`보름`, { kind: 'end', minutes: 15 * MINUTES.day }],
  [String.raw`한 ?시간`, { kind: 'end', minutes: MINUTES.hour }],
  [String.raw`일 ?년|한 ?해`, { kind: 'end', minutes: MINUTES.year }],
  [
    String.raw`\d+ ?(?:회|번|건)|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열) ?(?:번|건|회)|(?:한|두|세)번`,
    { kind: 'unreadable', why: 'counts trades, but a mandate does not limit their number' },
  ],
  // Limits.
  [
    String.raw`(?:넘지|초과하지|넘기지|초과해서는|넘어서는) ?(?:않게|않도록|마|말[가-힣]*|안 ?[가-힣]*|않[가-힣]*)|안 ?넘게|넘으면 ?안[가-힣]*|초과 ?금지`,
    weak('limit'),
  ],
  [String.raw`손절선|스탑 ?라인|중단선|정지선`, strong('stopLine')],
  [String.raw`손절|스탑 ?로스`, strong('stopLoss')],
  [
    String.raw`(?:밑|아래|이하)(?:으로|로) ?(?:떨어지|내려가|내려오|가)[가-힣]*|(?:까지|로|으로) ?(?:떨어지|내려가)[가-힣]*`,
    weak('stopLine'),
  ],
  [String.raw`손실|손해|잃[가-힣]*|낙폭`, strong('loss')],
  [String.raw`(?:떨어지|하락|내리|빠지)[가-힣]*`, weak('loss')],
  [String.raw`멈춰[가-힣]*|멈추[가-힣]*|멈춤|중단[가-힣]*|정지[가-힣]*|스탑`, strong('stop')],
  [String.raw`(?:매번|항상|늘|전부|모두|모든 ?(?:거래|주문)(?:는|을|를|에|마다)?)`, weak('always')],
  [
    String.raw`승인(?!률)|결재|허락|(?:나에게|나한테|내게|저에게|저한테)? ?물어[가-힣]*|묻[가-힣]*|확인[가-힣]*|컨펌`,
    strong('approval'),
  ],
  [String.raw`(?:수익|이익)의`, weak('profit')],
  [String.raw`성과 ?(?:수수료|보수)|수수료율?|보수`, strong('fee')],
  [String.raw`예산`, strong('budget')],
  [String.raw`총액|총 ?(?:금액|자금|투자금|예산)|총|전체|합계|합쳐서|자본금?|원금|투자금|자금|운용금`, weak('budget')],
  [String.raw`한도|최대(?:한|로)?|상한선?|제한|캡`, strong('limit')],
  [String.raw`이하|이내|까지만|까지|내에서|안에서|밖에`, weak('limit')],
  [String.raw`미만|아래|밑`, weak('below')],
  [String.raw`이상|부터`, weak('from')],
  [String.raw`초과[가-힣]*|넘(?:으면|는|을|게|어가면|어서면)[가-힣]*|보다 ?(?:많|크|큰)[가-힣]*`, weak('above')],
  [
    String.raw`말고|빼고|제외[가-힣]*|외에|없이|않[가-힣]*|안(?= )|못|마세요|마요|마(?![가-힣])|말아[가-힣]*|말 ?것|금지|아니[가-힣]*|아닌|없[가-힣]*|마라|하지 ?마[가-힣]*`,
    weak('not'),
  ],
  [String.raw`넣[가-힣]*|투자|입금|사용|쓰[가-힣]*|써[가-힣]*|쓸|운용`, weak('give')],
  [String.raw`조심[가-힣]*|신중[가-힣]*|보수적[가-힣]*|안전[가-힣]*|천천히`, filler],
  [String.raw`그리고|하지만|그러나|단|또는|또|혹은`, { kind: 'break' }],
  [
    String.raw`(?:거래|주문|매수|매도|매매|트레이딩|기간|금액|돈|때|경우|만약|나|내|저|제|시장|마켓|에이전트|봇|지갑|볼트|위임|맨데이트|테스트 ?(?:마켓|베뉴)|해 ?줘|해 ?주세요|해 ?라|하세요|해|하고 ?싶[가-힣]*|합니다|한다|할게[가-힣]*|할 ?것|하자|하기|받[가-힣]*|설정[가-힣]*|부탁[가-힣]*|것|거|사 ?줘|사 ?주세요|사라|사기|팔|걸|잡아[가-힣]*|유지|시작[가-힣]*|돌려[가-힣]*|맡[가-힣]*|좋[가-힣]*|줘|주세요|바랍니다|원해[가-힣]*|정해[가-힣]*|둬|두세요|둘게[가-힣]*|되[가-힣]*|된|됩니다|나면|나오면|생기면|발생[가-힣]*|오면|금|씩|자동|시|동안|걸쳐|간|먼저|꼭|반드시|입니다|이다|이에요|예요|임|당)`,
    filler,
  ],
]

/** Rules for Korean. A word begins at the start of a run of Hangul or at the end of the previous word. */
export const KOREAN: readonly Rule[] = PHRASES.map(([pattern, meaning]) => [new RegExp(pattern, 'y'), meaning])

/** Particles and endings without a meaning for limits. */
export const PARTICLES =
  /(?:에서만|에서|이면|라면|으로부터|에서는|에서도|에게|으로|로만|로|은|는|이라도|이|가|을|를|에는|에|의|와|과|도|만|씩|동안|간|안|내|치|짜리|어치|분|면|한|할|해서|해|하면|시|당시|입니다|이에요|예요|이야|야|임|이다|다)(?![가-힣])/y
/** Endings that join two clauses. */
export const JOINS = /(?:이고요|이고|이며|이지만|인데|하고|하며|이랑|고요|고|며)(?![가-힣])/y
/** Units of time after a number. */
export const KOREAN_UNITS = /\s?(분|시간|일|주일|주|개월|달(?!러)|년)(?![가-힣]*(?:에|마다|당)(?![가-힣]))/y
export const KOREAN_MINUTES: Readonly<Record<string, number>> = {
  분: MINUTES.minute,
  시간: MINUTES.hour,
  일: MINUTES.day,
  주일: MINUTES.week,
  주: MINUTES.week,
  개월: MINUTES.month,
  달: MINUTES.month,
  년: MINUTES.year,
}
