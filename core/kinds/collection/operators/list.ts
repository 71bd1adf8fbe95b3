// The filter operators, one line each.
export { equals } from './equals.ts'
export { equalsAnyCase } from './equals-any-case.ts'
export { maximum } from './maximum.ts'
export { since } from './since.ts'
