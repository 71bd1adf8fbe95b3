import { ensureDefined } from '../../../manifest/kind.ts'
import { equals, equalsAnyCase, maximum, since } from './comparisons.ts'
import type { Operator } from './operator.ts'

export const operators: readonly Operator[] = [equals, equalsAnyCase, maximum, since]

export const operatorOf = (name: string): Operator =>
  ensureDefined(
    operators.find(one => one.name === name),
    `operator ${name}`
  )
