import { closed, Count, nullable, Path, reply, Text, Type } from 'pantry/handler'
import { cursorOf, feedDays, feedKinds, placeOf } from '../../cards/card-feed.ts'
import { fromAllOf } from '../../cards/documents/parts.ts'
import { searchQuery } from '../../cards/parameters.ts'
import { canonicalCode, encodePart, parseSku } from '../../cards/sku.ts'
import { defineHandler } from '../../define.ts'

const [usual, maxShown] = [100, 500]
const dayMs = 86_400_000

/** The changes of the cards of a game in the last 90 days, the oldest first, without any value of a card. */
export default defineHandler({
  query: Type.Object({
    game: searchQuery.game,
    set: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Set code, in any letter case. Default: all sets.' })
    ),
    kind: Type.Optional(Type.Enum([...feedKinds], { description: 'Only this kind of change.' })),
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: 'From `next` or `resume`.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxShown, default: usual, description: 'Entries at most.' })
    )
  }),
  reply: closed({
    '@kind': Type.Literal('card-feed'),
    game: Text,
    set: nullable(Text),
    window_days: Count,
    from: Type.String({
      description: 'The beginning of the window (ISO 8601). What happened before is not in the feed.'
    }),
    complete: Type.Boolean({
      description: 'False where `after` lies before the window: entries behind it may be missing.'
    }),
    entries: Type.Array(
      closed({
        at: Text,
        kind: Type.Enum([...feedKinds]),
        set: nullable(Text),
        sku: nullable(Text, 'Null for a set.'),
        cards: nullable(Count, 'How many of the cards that came with a set are held now; null for a card.'),
        moved_to: nullable(Text, 'The SKU that a card has since, where it has one.')
      }),
      { maxItems: maxShown }
    ),
    next: nullable(Path, 'The next page; null on the last one.'),
    resume: Type.String({ description: 'Ask this later: it gives what is new behind the last entry.' })
  }),
  async handle({ query, now, pathTo }, { games, changeFeed }) {
    const { game: named, set, kind, after, limit = usual } = query
    const game = games.named(named).token
    const code = set === undefined ? undefined : canonicalCode(set)
    const from = new Date(now.getTime() - feedDays * dayMs)
    const place = after === undefined ? undefined : placeOf(after)
    const isWithin = place === undefined || Date.parse(place.at) >= from.getTime()
    const found = await changeFeed({
      game,
      set: code === undefined ? undefined : { code, part: encodePart(code) },
      kind,
      from: place === undefined || !isWithin ? from.toISOString() : place.at,
      after: place,
      most: limit + 1
    })
    const shown = found.slice(0, limit)
    const last = shown.at(-1) ?? place
    const asked = {
      game: named,
      ...(set === undefined ? {} : { set }),
      ...(kind === undefined ? {} : { kind }),
      ...(limit === usual ? {} : { limit: String(limit) }),
      ...(last === undefined ? {} : { after: cursorOf(last) })
    }
    const onward = `${pathTo('cards/feed')}?${String(new URLSearchParams(asked))}`
    return reply(
      {
        '@kind': 'card-feed',
        game,
        set: code ?? null,
        window_days: feedDays,
        from: from.toISOString(),
        complete: isWithin,
        entries: shown.map(({ at, kind, set_code: ofSet, sku, cards, moved_to }) => ({
          at,
          kind,
          set: ofSet === null ? (parseSku(sku ?? '')?.set ?? null) : canonicalCode(ofSet),
          sku,
          cards,
          moved_to
        })),
        next: found.length > limit ? onward : null,
        resume: onward
      },
      fromAllOf(shown)
    )
  }
})
