import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { Terms } from '../people/schemas.ts'

const { version, title, summary, sections } = Terms.properties

export default defineHandler({
  corpora: { terms: Type.Object({ version, title, summary, sections }) },
  reply: Terms,
  handle({ corpora, service }) {
    const [terms] = corpora.terms.entries
    if (terms === undefined) throw new Error('There are no terms.')
    return reply({ ...terms, operator: service.contact.email })
  }
})
