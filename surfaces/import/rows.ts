import type { JsonValue } from 'pantry/data'
import { asText, compilePath, splitText, type Scope } from './expression.ts'
import type { RowStep } from './source.ts'

type Loop = (scope: Scope) => Iterable<Scope>

/** The scope with one member of a loop in it. */
export const within = (scope: Scope, { as, key }: RowStep, name: string | number, value: JsonValue): Scope =>
  key === undefined ? { ...scope, [as]: value } : { ...scope, [as]: value, [key]: name }

function compileStep (step: RowStep, lose: (loop: string) => void): Loop {
  const read = compilePath(step.each ?? '')
  return function * (scope) {
    const list = read(scope)
    const members = step.split === undefined ? list : splitText(asText(list), step.split)
    const turns = members !== null && typeof members === 'object' ? Object.entries(members) : []
    if (turns.length === 0) lose(step.as)
    for (const [key, value] of turns) yield within(scope, step, key, value)
  }
}

/** Runs inner loops: one scope for each turn of the innermost, holding the values of all loops by name. `lose` gets the name of a loop that has no member to run over. */
export const compileLoops = (steps: readonly RowStep[], lose: (loop: string) => void = () => undefined): Loop => steps.map(step => compileStep(step, lose)).reduceRight<Loop>(
  (inner, loop) => function * (scope) { for (const turn of loop(scope)) yield * inner(turn) },
  function * (scope) { yield scope }
)
