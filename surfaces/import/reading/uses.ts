import { isObject } from 'pantry/data'
import type { SourceReader } from '../source.ts'

/** A part of a reader that was of no use for the files, and why. `at`: its place, such as `map.rarity.values`. */
export type Unused = Readonly<{ at: string; doubt: string }>

const maxShown = 3

const quoted = (members: readonly unknown[]): string =>
  `${members
    .slice(0, maxShown)
    .map(one => `\`${String(one)}\``)
    .join(', ')}${members.length > maxShown ? ` and ${members.length - maxShown} more` : ''}`

/** What is said of a part that is used as a whole; of other parts those members are told that match nothing. */
const whole: Readonly<Record<string, string>> = {
  pattern: 'matches nothing',
  pad: 'fills up nothing: no value is digits alone',
  where: 'finds no member',
  lookup: 'finds nothing: no key is in the table'
}

/**
 * Remembers which parts of a reader had a use while rows were read: the keys of `values` that were found, the paths of
 * `except` that left out a file, a `pattern` that matched. A part that was never tried, such as one behind the first
 * value of `first`, is not doubted.
 */
export class Uses {
  private readonly tried = new Map<object, Map<string, Set<unknown>>>()

  /**
   * Records that a part of `owner` was tried, and which member of it was of use: the part itself where it has no
   * members, and `undefined` where none was.
   */
  see(owner: object, part: string, used: unknown): void {
    let parts = this.tried.get(owner)
    if (parts === undefined) this.tried.set(owner, (parts = new Map<string, Set<unknown>>()))
    let members = parts.get(part)
    if (members === undefined) parts.set(part, (members = new Set()))
    if (used !== undefined) members.add(used)
  }

  /** Returns the parts of a reader that were tried and of no use, and the tables and expressions that nothing reads. */
  unused(reader: SourceReader): readonly Unused[] {
    const named = new Set<string>()
    const tried = [...this.below(reader, [], named)]
    const unnamed = (['tables', 'expressions'] as const).flatMap(kind =>
      Object.keys(reader[kind] ?? {})
        .filter(name => !named.has(`${kind}.${name}`))
        .map(name => ({ at: `${kind}.${name}`, doubt: 'nothing reads it' }))
    )
    return [...tried, ...unnamed]
  }

  /** Yields what is doubted at and below a value, and adds the tables and expressions that it names to `named`. */
  private *below(value: unknown, at: readonly (string | number)[], named: Set<string>): Generator<Unused> {
    if (value === null || typeof value !== 'object') return
    if (isObject(value)) {
      if (typeof value['lookup'] === 'string') named.add(`tables.${value['lookup']}`)
      if (typeof value['use'] === 'string') named.add(`expressions.${value['use']}`)
      for (const [part, used] of this.tried.get(value) ?? []) {
        const declared = value[part] ?? null
        const members: readonly unknown[] = Array.isArray(declared) ? declared : Object.keys(declared as object)
        const left = part in whole ? [] : members.filter(member => !used.has(member))
        const doubt = left.length > 0 ? `matches nothing: ${quoted(left)}` : used.size === 0 ? whole[part] : undefined
        if (doubt !== undefined) yield { at: [...at, part].join('.'), doubt }
      }
    }
    for (const [name, member] of Object.entries(value)) yield* this.below(member, [...at, name], named)
  }
}
