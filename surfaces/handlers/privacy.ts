import { reply, Type } from 'pantry/handler'
import { Notice } from '../people/schemas.ts'
import { personalTables } from '../people/personal.ts'
import { publicationNames, publications } from '../people/receipts.ts'
import { defineHandler } from '../define.ts'

const { version, title, rights } = Notice.properties

/**
 * Returns the privacy notice. What is stored, why and for how long comes from the same list as the deletion
 * (`personalTables`).
 */
export default defineHandler({
  corpora: { privacy: Type.Object({ version, title, summary: Notice.properties.readers, rights }) },
  reply: Notice,
  handle({ corpora, service }) {
    const [notice] = corpora.privacy.entries
    if (notice === undefined) throw new Error('There is no notice.')
    const { summary: readers, ...words } = notice
    return reply({
      ...words,
      readers,
      operator: service.contact.email,
      tables: personalTables.map(({ table, columns, kept }) => ({
        table,
        kept,
        columns: Object.entries(columns).map(([column, purpose]) => ({ column, purpose }))
      })),
      publications: publicationNames.map(scope => ({ scope, meaning: publications[scope] }))
    })
  }
})
