import { closed, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { EntryVersion, Slug } from '../../../people/collector-schemas.ts'
import { Done } from '../../../people/schemas.ts'

export const approvePost = defineHandler({
  params: Type.Object({ slug: Slug }),
  body: { schema: closed({ version: EntryVersion }), limitBytes: 512 },
  reply: Done,
  async handle({ params: { slug }, body: { version }, caller }, { organisations }) {
    if (!(await organisations.approve(slug, version, personOf(caller)))) throw notFound('entry', slug)
    return reply({ done: 'The entry is approved. It is shown while its receipt holds.' })
  }
})

export const removePost = defineHandler({
  params: Type.Object({ slug: Slug }),
  body: {
    schema: closed({ reason: Type.String({ minLength: 3, maxLength: 300, description: 'Why.' }) }),
    limitBytes: 2048
  },
  reply: Done,
  async handle({ params: { slug }, body: { reason }, caller }, { organisations }) {
    if (!(await organisations.remove({ slug }, personOf(caller), reason))) throw notFound('entry', slug)
    return reply({ done: 'The entry is gone.' })
  }
})
