import { closed, invalid, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { readList } from '../../lists/read-list.ts'
import { importLines, joinLists, listFile, maxCards, maxLines } from '../../people/card-lists.ts'
import { Imported, Language, listNames, Lists } from '../../people/collector-schemas.ts'
import { Done } from '../../people/schemas.ts'

export default defineHandler({
  reply: Lists,
  async handle({ caller }, { cardLists, catalogue }) {
    const cards = await cardLists.of(personOf(caller))
    const named = await catalogue.cardsInBrief(cards.map(({ sku }) => sku))
    const [have, want] = (['have', 'want'] as const).map(name =>
      cards.flatMap(({ list, sku, quantity }, at) =>
        list === name ? [{ sku, quantity, name: named[at]?.name ?? null }] : []
      )
    )
    return reply({ have: have ?? [], want: want ?? [], most: maxCards })
  }
})

export const post = defineHandler({
  body: {
    schema: closed({
      list: Type.Enum(listNames, { description: 'Which list.' }),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40_000,
          description:
            'A card in each line: a SKU or a number as it is printed, with how many in front of it, such as `2 OP01-001`. A number means the ordinary printing. Not needed with a file.'
        })
      ),
      game: Type.Optional(
        Type.String({ maxLength: 40, description: 'Token or slug of the game that numbers are of.' })
      ),
      lang: Type.Optional(Language)
    }),
    limitBytes: 65_536
  },
  files: { file: listFile },
  reply: Imported,
  async handle(
    { body: { list, text: pasted, game, lang }, files, caller },
    { cardLists, catalogue, games, names, search }
  ) {
    const text = joinLists(pasted ?? '', files.file)
    if (text === '') throw invalid('text', 'Give lines with cards, or send a file.')
    const read = readList(text, { most: maxLines })
    if (read.lines.length > maxLines)
      throw invalid(files.file === undefined ? 'text' : 'file', `Give at most ${maxLines} lines at once.`)
    return reply(
      await importLines(
        personOf(caller),
        list,
        read,
        {
          catalogue,
          index: search,
          names,
          games: games.all,
          game: game === undefined ? undefined : games.named(game),
          lang
        },
        cardLists
      )
    )
  }
})

export const removePost = defineHandler({
  body: {
    schema: closed({
      list: Type.Enum(listNames, { description: 'Which list.' }),
      sku: Type.Optional(
        Type.String({ minLength: 1, maxLength: 160, description: 'The card; without it, all of them.' })
      )
    }),
    limitBytes: 1024
  },
  reply: Done,
  async handle({ body: { list, sku }, caller }, { cardLists }) {
    const removed = await cardLists.remove(personOf(caller), list, sku)
    if (removed === 0 && sku !== undefined) throw notFound('card', sku)
    return reply({ done: `${removed} of your cards went.` })
  }
})
