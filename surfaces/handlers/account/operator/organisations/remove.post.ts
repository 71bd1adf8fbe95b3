import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../../accounts/own.ts'
import { Done } from '../../../../accounts/schemas.ts'
import { Slug } from '../../../../collectors/schemas.ts'
import { defineHandler } from '../../../../define.ts'

/** Deletes a directory entry and records the reason. */
export default defineHandler({
  params: Type.Object({ slug: Slug }),
  body: {
    schema: Type.Object(
      { reason: Type.String({ minLength: 3, maxLength: 300, description: 'Why.' }) },
      { additionalProperties: false }
    ),
    limitBytes: 1024
  },
  reply: Done,
  async handle({ params: { slug }, body: { reason }, caller }, { organisations }) {
    if (!(await organisations.remove({ slug }, personOf(caller), reason))) throw notFound('entry', slug)
    return reply({ done: 'The entry is gone.' })
  }
})
