import { closed, invalid, reply } from 'pantry/handler'
import { fromAllOf } from '../../cards/documents/parts.ts'
import { defineHandler } from '../../define.ts'
import { answerList, isTableFile, listRequest, PastedList, pastedFile } from '../../lists/list-answers.ts'

/** Reads a list of cards in any form, and answers each line with its card. Nothing of the list is kept. */
export const post = defineHandler({
  body: { schema: closed(listRequest, { title: 'CardListRequest' }), limitBytes: 262_144 },
  files: { file: pastedFile },
  reply: PastedList,
  async handle({ body: { text, table, game, lang, write }, files: { file } }, { catalogue, games, names, search }) {
    if ((text === undefined) === (file === undefined))
      throw invalid('text', 'Give either `text` or a file in `file`, which is the list.')
    const { answer, cards } = await answerList(
      {
        text: text ?? file?.text() ?? '',
        isTable: table ?? isTableFile(file),
        field: file === undefined ? 'text' : 'file'
      },
      write,
      {
        catalogue,
        index: search,
        names,
        games: games.all,
        game: game === undefined ? undefined : games.named(game),
        lang: lang?.toLowerCase()
      }
    )
    return reply(answer, fromAllOf(cards))
  }
})
