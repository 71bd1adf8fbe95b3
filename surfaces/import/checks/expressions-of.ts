import type { EntryProblem } from 'pantry/data'
import type { Expression, FieldMap, SetsDeclaration } from '../source.ts'

type Place = readonly [pointer: EntryProblem['pointer'], expression: Expression]

type Group = Readonly<Record<string, Expression>>

/**
 * Returns all expressions of a map, including those in attributes and translations, with their pointers relative to the
 * map.
 */
export const expressionsOf = (map: FieldMap | SetsDeclaration['map']): readonly Place[] =>
  Object.entries(map).flatMap(([name, value]): Place[] => {
    const within = (group: Group, ...at: string[]): Place[] =>
      Object.entries(group).map(([member, expression]) => [[...at, member], expression])
    if (name === 'attributes') return within(value as Group, name)
    const one = value as NonNullable<FieldMap['name_translations']>
    return typeof one === 'object' && 'languages' in one ? within(one.languages, name, 'languages') : [[[name], one]]
  })

/** Returns the name of the field at a pointer into the map, such as `attributes.cost` or `name_translations.en`. */
export const fieldOf = (at: EntryProblem['pointer']): string => at.filter(part => part !== 'languages').join('.')
