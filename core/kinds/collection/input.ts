import type { JsonSchema } from '../../canonical/json.ts'
import { known, type Context } from '../../manifest/kind.ts'
import { propertiesOf, valueSchema } from '../../schema/json-schema.ts'
import { parameters } from '../../manifest/normalise.ts'
import type { Input } from '../../manifest/surface.ts'
import type { CollectionAnswer } from './answer.ts'
import { choiceOf, choiceParameter } from '../choice.ts'
import { operatorOf } from './operators/index.ts'
import { pageParameters } from './page.ts'

const limitSchema = (limit: Readonly<{ default: number; maximum: number }>): JsonSchema => ({
  type: 'integer',
  minimum: 1,
  maximum: limit.maximum,
  default: limit.default,
  description: 'Number of entries.'
})

const allSchema: JsonSchema = {
  type: 'boolean',
  default: false,
  description: 'Every entry that the filters select, beside the one of the day.'
}

/** Returns the query parameters: the filters, those of the options, and `fields`. */
export function collectionInput(
  { answer: { corpus: name, filters, all, limit, page, fields: shown } }: Readonly<{ answer: CollectionAnswer }>,
  { corpora }: Context
): Partial<Input> {
  const corpus = known(corpora.get(name), `corpus ${name}`)
  const fields = propertiesOf(corpus.schema)
  return {
    query: parameters({
      ...Object.fromEntries(
        filters.map(({ name, field, operation }) => [
          name,
          operatorOf(operation).parameter(field, valueSchema(known(fields[field], `field ${field}`)))
        ])
      ),
      ...(all === undefined ? {} : { all: allSchema }),
      ...(limit === undefined ? {} : { limit: limitSchema(limit) }),
      ...(page === undefined ? {} : { [page]: pageParameters[page] }),
      fields: choiceParameter(choiceOf(corpus, shown))
    })
  }
}
