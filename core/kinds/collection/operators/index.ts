import { known } from '../../../manifest/kind.ts'
import * as list from './list.ts'
import type { Operator } from './operator.ts'

/** All filter operators. */
export const operators: readonly Operator[] = Object.values(list)

/** Returns the operator with this name. The manifest schema has checked that it exists. */
export const operatorOf = (name: string): Operator =>
  known(
    operators.find(one => one.name === name),
    `operator ${name}`
  )
