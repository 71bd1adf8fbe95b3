import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { joinLists, listFile } from '../../../collectors/list-file.ts'
import { ImportedLines } from '../../../collectors/page/lists.tsx'
import { withChoice } from '../../../collectors/read-lines.ts'
import { Imported, listNames } from '../../../collectors/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object(
      {
        list: Type.Enum(listNames),
        text: Type.String({ maxLength: 40_000 }),
        game: Type.Optional(Type.String({ maxLength: 40 })),
        lang: Type.Optional(Type.String({ maxLength: 35 })),
        choice: Type.Optional(Type.String({ maxLength: 200 }))
      },
      { additionalProperties: false }
    ),
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
    }
  },
  view: ({ form: { game, lang }, formToken, sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Nothing was put on the list', main: <Refused reason={reason} back="/account/cards" /> }
      : {
          title: 'Cards put on a list',
          main: (
            <>
              <ImportedLines imported={data} token={formToken} game={game} lang={lang} />
              <p>
                <a href="/account/cards">Your cards</a>
              </p>
            </>
          )
        }
})
