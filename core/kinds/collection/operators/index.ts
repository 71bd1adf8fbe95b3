import { known } from '../../../manifest/context.ts'
import * as list from './list.ts'
import type { Operator } from './operator.ts'

/** Every operator of a filter, by name. */
export const operators: readonly Operator[] = Object.values(list)

/** The operator of this name, which the schema of the manifest has checked. */
export const operatorOf = (name: string): Operator =>
  known(
    operators.find(one => one.name === name),
    `operator ${name}`
  )
