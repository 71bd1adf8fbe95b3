import { reply } from 'pantry/handler'
import { noticeVersion } from '../accounts/notice.ts'
import { personalTables } from '../accounts/personal.ts'
import { publicationNames, publications } from '../accounts/receipts.ts'
import { defineHandler } from '../define.ts'
import { Notice } from '../accounts/schemas.ts'

/** What is kept of people, for what, and until when; made of the list that the deletion works by. */
export default defineHandler({
  reply: Notice,
  handle: ({ service }) => reply({
    version: noticeVersion,
    operator: service.contact.email,
    readers: 'Who reads needs no account. No visits are kept, and no profile of readers is made.',
    tables: personalTables.map(({ table, columns, kept }) => ({ table, kept, columns: Object.entries(columns).map(([column, purpose]) => ({ column, purpose })) })),
    publications: publicationNames.map(scope => ({ scope, meaning: publications[scope] })),
    rights: ['You see all that is kept of you under `/api/v1/account/export`.', 'You end sessions, keys and publications yourself, at once.', 'You leave yourself, and everything that is yours is erased. What was done to accounts is kept for a year with an id that is then nobody\'s.']
  })
})
