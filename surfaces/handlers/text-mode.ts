import { Type, invalid, notFound, reply } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { preface, proseOf, refuseFailure } from '../playful/text-mode.ts'

export default defineHandler({
  query: Type.Object({
    path: Type.Optional(
      Type.String({
        pattern: '^/[!"$-~]*$',
        maxLength: 2000,
        description:
          'Path of the surface to be read, with its query if it has one (percent-encoded, as any value). Without it the front door is read.'
      })
    )
  }),
  reply: Type.String({ description: 'The text.' }),
  async handle({ query: { path }, path: own, ask, pathTo }) {
    const target = path ?? pathTo('hospitality/welcome')
    const [name = ''] = target.split('?')
    const asked = await ask(target)
    if (asked === undefined || !asked.surface.access.includes('public'))
      throw notFound('public surface that answers GET at the path', name.slice(0, 200), { field: 'path' })
    // Surfaces are compared by id, because a path can be written in several ways.
    if (asked.surface.id === 'text-mode') throw invalid('path', 'Text mode does not read itself: name another path.')
    refuseFailure(asked, target)
    return reply(`${path === undefined ? preface(own, pathTo('playful/today')) : ''}${proseOf(asked, target)}`, {
      headers: { 'Cache-Control': asked.cacheControl }
    })
  }
})
