import type { Words } from './words.ts'

export const ko: Words = {
  give: (address) => `${address} 이름 지정`,
  change: (address) => `${address} 이름 변경`,
  yours: '내가 붙인 이름:',
  title: '주소 이름 지정',
  label: '이름',
  hint: '이 브라우저에만 저장됩니다. 서명하기 전에 항상 전체 주소를 확인하세요.',
  keep: '저장',
  remove: '삭제',
}
