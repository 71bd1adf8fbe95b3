import { closed, NullableText, nullable, reply, Text, Type } from 'pantry/handler'
import { Attribute } from '../../cards/attributes.ts'
import { isQuery } from '../../cards/search/compile-query.ts'
import { queryFieldsOf } from '../../cards/search/query-fields.ts'
import { asksField, maxQueryLength } from '../../cards/search/query-text.ts'
import { defineHandler } from '../../define.ts'

/** Tells whether a text is a query or words, without a look at the cards. */
export default defineHandler({
  query: Type.Object({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxQueryLength, description: 'What a person wrote into a search field.' })
    )
  }),
  corpora: { attributes: Attribute },
  reply: closed({
    input: closed({ q: NullableText }),
    query: nullable(Text, 'The text for `/api/v1/search/query`, where it asks for a field; it may have a mistake.'),
    words: nullable(Text, 'The text for `/api/v1/search/names`; null for a query without a mistake.')
  }),
  handle({ query: { q = null }, corpora }, { games }) {
    const query = q !== null && asksField(q) ? q : null
    const fields = queryFieldsOf(corpora.attributes.entries, games)
    const runs = query !== null && isQuery(query, fields, name => games.find(name)?.token)
    return reply({ input: { q }, query, words: runs ? null : q })
  }
})
