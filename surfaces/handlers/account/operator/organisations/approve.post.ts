import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { personOf } from '../../../../people/callers.ts'
import { EntryVersion, Slug } from '../../../../people/collector-schemas.ts'
import { Done } from '../../../../people/schemas.ts'

/** Approves the version of a directory entry that the operator has read. */
export default defineHandler({
  params: Type.Object({ slug: Slug }),
  body: { schema: Type.Object({ version: EntryVersion }, { additionalProperties: false }), limitBytes: 512 },
  reply: Done,
  async handle({ params: { slug }, body: { version }, caller }, { organisations }) {
    if (!(await organisations.approve(slug, version, personOf(caller)))) throw notFound('entry', slug)
    return reply({ done: 'The entry is approved. It is shown while its receipt holds.' })
  }
})
