import { ensureDefined } from '../../../manifest/kind.ts'
import { anyOf, contains, equals, equalsAnyCase, maximum, minimum, since } from './comparisons.ts'
import type { Operator } from './operator.ts'

export const operators: readonly Operator[] = [equals, anyOf, equalsAnyCase, contains, minimum, maximum, since]

export const operatorOf = (name: string): Operator =>
  ensureDefined(
    operators.find(one => one.name === name),
    `operator ${name}`
  )
