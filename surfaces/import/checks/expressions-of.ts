import type { EntryProblem } from 'pantry/data'
import type { Expression, FieldMap, SetsDeclaration } from '../source.ts'

type Place = readonly [pointer: EntryProblem['pointer'], expression: Expression]

type Group = Readonly<Record<string, Expression>>

/** The expressions of a map, also those within attributes and translations, with their places below it. */
export const expressionsOf = (map: FieldMap | SetsDeclaration['map']): readonly Place[] =>
  Object.entries(map).flatMap(([name, value]): Place[] => {
    const within = (group: Group, ...at: string[]): Place[] =>
      Object.entries(group).map(([member, expression]) => [[...at, member], expression])
    if (name === 'attributes') return within(value as Group, name)
    const one = value as NonNullable<FieldMap['name_translations']>
    return typeof one === 'object' && 'languages' in one ? within(one.languages, name, 'languages') : [[[name], one]]
  })

/** The field of the map at a place of it: `attributes.cost`, `name_translations.en`. */
export const fieldOf = (at: EntryProblem['pointer']): string => at.filter(part => part !== 'languages').join('.')
