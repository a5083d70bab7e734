export { publicPolicy, type PublicPolicy } from './public-policy.ts'
export { readBody, requestPublic, withinPolicy, type PublicRequest } from './public-request.ts'
