// The operators of a filter, one line each.
export { equals } from './equals.ts'
export { equalsAnyCase } from './equals-any-case.ts'
export { maximum } from './maximum.ts'
export { since } from './since.ts'
