import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { SkuText } from '../../../cards/card-answers.ts'
import { GameNames } from '../../../pages/schemas.ts'
import { joinLists, listFile, withChoice } from '../../../people/card-lists.ts'
import { OneCard } from '../../../pages/one-card.tsx'
import { Imported, listNames, Lists } from '../../../people/collector-schemas.ts'
import { CardLists, ImportedLines, PasteForm } from '../../../people/page/card-lists.tsx'
import { signInFirst, withQuery } from '../../../people/page/sign-in.tsx'
import { Ways } from '../../../people/schemas.ts'

const add = defineForm({
  title: 'Nothing was put on the list',
  fields: closed({
    list: Type.Enum(listNames),
    // A list may have prices, which no answer shows.
    text: Type.String({ maxLength: 40_000, writeOnly: true }),
    game: Type.Optional(Type.String({ maxLength: 40 })),
    lang: Type.Optional(Type.String({ maxLength: 35 })),
    choice: Type.Optional(Type.String({ maxLength: 200 }))
  }),
  files: { file: listFile },
  reply: Imported,
  toBody: ({ list, text: pasted, game = '', lang = '', choice = '' }, { file }) => {
    const text = joinLists(withChoice(pasted, choice), file)
    return {
      list,
      ...(text === '' ? {} : { text }),
      ...(game === '' ? {} : { game }),
      ...(lang === '' ? {} : { lang })
    }
  },
  view: ({ form: { game, lang }, formToken, sent: { data }, back }) =>
    data && {
      title: 'Cards put on a list',
      main: (
        <>
          <ImportedLines imported={data} token={formToken} game={game} lang={lang} />
          <p>
            <a href={back}>Your cards</a>
          </p>
        </>
      )
    }
})

const remove = defineForm({
  title: 'Nothing was taken off',
  done: 'The card is taken off the list.',
  fields: closed({ list: Type.Enum(listNames), sku: Type.String({ maxLength: 160 }) })
})

export default definePage({
  query: Type.Object({
    sku: Type.Optional(SkuText),
    list: Type.Optional(Type.Enum(listNames, { description: 'The list that the card is put on. Default: either.' }))
  }),
  shows: { games: GameNames },
  besides: { lists: Lists, ways: Ways },
  forms: { add, remove },
  view: ({ shown: { games }, beside: { lists, ways }, query: { sku, list }, formToken }) =>
    lists.data === undefined
      ? signInFirst({
          by: 'lists',
          answer: lists,
          ways,
          token: formToken,
          next: withQuery('/account/cards', { sku, list })
        })
      : {
          title: 'Your cards',
          main: (
            <>
              {sku !== undefined && <OneCard sku={sku} asked={list} lists={lists.data} token={formToken} />}
              <p>
                What you have and what you look for. It is yours alone, unless you agree{' '}
                <a href="/account">under your account</a> to have a list compared with others: then who asks often
                enough can work it out.
              </p>
              <PasteForm token={formToken} games={games.games} />
              <CardLists lists={lists.data} token={formToken} />
              <p>
                <a href="/account">Your account</a>
              </p>
            </>
          )
        }
})
