import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { formIds } from '../../lists/forms.ts'
import { isTableFile, mostCharacters, PastedList, pastedFile } from '../../lists/list-answers.ts'
import { ListForm, PastedLines } from '../../pages/pasted.tsx'
import { GameNames } from '../../pages/schemas.ts'

const read = defineForm({
  title: 'The list was not read',
  fields: closed({
    // A list may have prices and notes, which no answer shows.
    text: Type.Optional(Type.String({ maxLength: mostCharacters, writeOnly: true })),
    game: Type.Optional(Type.String({ maxLength: 40 })),
    write: Type.Optional(Type.Enum(['', ...formIds]))
  }),
  files: { file: pastedFile },
  reply: PastedList,
  toBody: ({ text = '', game = '', write = '' }, { file }) => {
    const sent = file?.text() ?? ''
    const isFile = sent.trim() !== ''
    return {
      ...(isFile || text.trim() !== '' ? { text: isFile ? sent : text } : {}),
      ...(isFile && isTableFile(file) ? { table: true } : {}),
      ...(game === '' ? {} : { game }),
      ...(write === '' ? {} : { write })
    }
  },
  view: ({ sent: { data }, back }) =>
    data && {
      title: 'Cards of your list',
      main: (
        <>
          <PastedLines list={data} />
          <p>
            <a href={back}>Another list</a>
          </p>
        </>
      )
    }
})

export default definePage({
  shows: { games: GameNames },
  forms: { read },
  view: ({ shown: { games } }) => ({
    title: 'A deck or collection',
    main: (
      <>
        <p class="lead">
          Paste a deck or collection, or choose its file. You see which card each line means and how sure that is, and
          can take the list along in another form.
        </p>
        <ListForm games={games} />
      </>
    )
  })
})
