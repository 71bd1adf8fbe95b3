import { known } from '../../../manifest/kind.ts'
import { equals, equalsAnyCase, maximum, since } from './comparisons.ts'
import type { Operator } from './operator.ts'

/** All filter operators. */
export const operators: readonly Operator[] = [equals, equalsAnyCase, maximum, since]

/** Returns the operator with this name. The manifest schema has checked that it exists. */
export const operatorOf = (name: string): Operator =>
  known(
    operators.find(one => one.name === name),
    `operator ${name}`
  )
