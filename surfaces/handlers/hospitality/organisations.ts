import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Language, organisationKinds, Region } from '../../people/collector-schemas.ts'
import { listed, Directory } from '../../people/organisations.ts'

export default defineHandler({
  query: Type.Object({
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'Part of the name or the description.' })),
    kind: Type.Optional(Type.Enum(organisationKinds, { description: 'What it is.' })),
    game: Type.Optional(Type.String({ maxLength: 40, description: 'Token or slug of a game that it plays.' })),
    region: Type.Optional(Region),
    language: Type.Optional(Language),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Most entries to show.' })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'How many entries to leave out first.' })
    )
  }),
  entries: { in: 'items', key: 'slug' },
  reply: Directory,
  async handle({ query: { game, limit = 30, offset = 0, ...filters } }, { organisations, games }) {
    const wanted = { ...filters, ...(game === undefined ? {} : { game: games.named(game).token }) }
    return reply(listed(await organisations.listed({ ...wanted, limit, offset }), wanted, limit, offset))
  }
})
