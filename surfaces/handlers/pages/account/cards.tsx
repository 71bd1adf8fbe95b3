import { closed } from 'pantry/data'
import { defineForm, definePage, Refused, Type } from 'pantry/page'
import { joinLists, listFile, withChoice } from '../../../people/card-lists.ts'
import { Imported, listNames, Lists } from '../../../people/collector-schemas.ts'
import { CardLists, ImportedLines, PasteForm } from '../../../people/page/card-lists.tsx'

const add = defineForm({
  fields: closed({
    list: Type.Enum(listNames),
    text: Type.String({ maxLength: 40_000 }),
    game: Type.Optional(Type.String({ maxLength: 40 })),
    lang: Type.Optional(Type.String({ maxLength: 35 })),
    choice: Type.Optional(Type.String({ maxLength: 200 }))
  }),
  limitBytes: 131_072,
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
  view: ({ form: { game, lang }, formToken, sent: { data, reason }, back }) =>
    data === undefined
      ? { title: 'Nothing was put on the list', main: <Refused reason={reason} back={back} /> }
      : {
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
  fields: closed({ list: Type.Enum(listNames), sku: Type.String({ maxLength: 160 }) }),
  limitBytes: 1024
})

export default definePage({
  shows: { lists: Lists },
  forms: { add, remove },
  view: ({ shown: { lists }, formToken }) => ({
    title: 'Your cards',
    main: (
      <>
        <p>
          What you have and what you look for. It is yours alone, unless you agree{' '}
          <a href="/account">under your account</a> to have a list compared with others: then who asks often enough can
          work it out.
        </p>
        <PasteForm token={formToken} />
        <CardLists lists={lists} token={formToken} />
        <p>
          <a href="/account">Your account</a>
        </p>
      </>
    )
  })
})
