import type { JsonValue } from 'pantry/data'
import { compilePath, type Read, type ExpressionScope } from './expression.ts'
import { asText, splitAtEach } from './modifiers.ts'
import type { MemberPath, RowStep } from '../source.ts'

type Loop = (scope: ExpressionScope) => Iterable<ExpressionScope>

/** Returns the scope with one member of a loop added to it. */
export const within = (
  scope: ExpressionScope,
  { as, key }: RowStep,
  name: string | number,
  value: JsonValue
): ExpressionScope => (key === undefined ? { ...scope, [as]: value } : { ...scope, [as]: value, [key]: name })

/** Returns the variable names that the loops define for expressions inside them. */
export const loopNames = (steps: readonly RowStep[]): readonly string[] =>
  steps.flatMap(({ as, key }) => (key === undefined ? [as] : [as, key]))

/** The paths of a loop, in the order in which they are tried. */
export const pathsOf = ({ each = '', or = [] }: RowStep): readonly MemberPath[] => [each, ...or]

const membersOf = (value: JsonValue, { split }: RowStep): readonly (readonly [string | number, JsonValue])[] => {
  const members = split === undefined ? value : splitAtEach(asText(value), split)
  return members !== null && typeof members === 'object' ? Object.entries(members) : []
}

function compileStep(step: RowStep, lose: (loop: string) => void): Loop {
  const reads = pathsOf(step).map(compilePath)
  const otherwise: Read | undefined = step.otherwise === undefined ? undefined : compilePath(step.otherwise)
  return function* (scope) {
    let turns: ReturnType<typeof membersOf> = []
    for (const read of reads) if (turns.length === 0) turns = membersOf(read(scope), step)
    const instead = turns.length > 0 ? null : (otherwise?.(scope) ?? null)
    if (instead !== null) yield within(scope, step, 0, instead)
    else if (turns.length === 0) lose(step.as)
    for (const [key, value] of turns) yield within(scope, step, key, value)
  }
}

/**
 * Compiles nested loops into a function that yields one scope per iteration of the innermost loop, with the values of
 * all loops by name. Calls `lose` with the name of a loop that has no members.
 */
export const compileLoops = (steps: readonly RowStep[], lose: (loop: string) => void = () => undefined): Loop =>
  steps
    .map(step => compileStep(step, lose))
    .reduceRight<Loop>(
      (inner, loop) =>
        function* (scope) {
          for (const turn of loop(scope)) yield* inner(turn)
        },
      function* (scope) {
        yield scope
      }
    )
