import { accessTable } from '../access/index.ts'
import { isObject, type JsonSchema } from '../canonical/json.ts'
import { formatTable } from '../format/index.ts'
import type { Service } from '../manifest/service.ts'
import type { WordList } from './define.ts'
import { discoveryModules } from './index.ts'

/** Returns the words of each list: those of the framework, then those of the service. */
const wordsOf = ({ access, formats }: Service): Readonly<Record<WordList, readonly string[]>> => ({
  access: Object.keys(accessTable(access)),
  formats: [
    ...new Set([
      ...formatTable(formats).keys(),
      ...[...discoveryModules.values()].flatMap(({ renderings = {} }) => Object.keys(renderings))
    ])
  ]
})

/** Returns the schema of a document as a service publishes it, with the word lists filled in. */
export function schemaFor(service: Service, schema: JsonSchema): JsonSchema {
  const words = wordsOf(service)
  const filled = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(filled)
    if (!isObject(part)) return part
    const list = part['x-words']
    return typeof list === 'string'
      ? { enum: words[list as WordList] }
      : Object.fromEntries(Object.entries(part).map(([name, member]) => [name, filled(member)]))
  }
  return filled(schema) as JsonSchema
}
