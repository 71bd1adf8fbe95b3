import { Text } from 'pantry/data'
import { definePage, Table, Type } from 'pantry/page'

const Glossary = Type.Object({
  how_the_japanese_was_checked: Text,
  terms: Type.Array(
    Type.Object({
      id: Text,
      english_token: Text,
      japanese_token: Type.Object({ printed: Text, reading: Text, romaji: Text }),
      natural_language_description: Text
    })
  )
})

export default definePage({
  shows: { glossary: Glossary },
  view: ({ shown: { glossary } }) => ({
    title: 'Words of the One Piece Card Game',
    main: (
      <>
        <p class="lead">
          What the words on a card mean, in English and Japanese. <a href="/play/tutorial">The tutorial</a> shows where
          they matter.
        </p>
        <Table
          caption="Words by their English name"
          rows={glossary.terms}
          columns={[
            { head: 'Word', cell: ({ id, english_token: word }) => <a href={`/play/glossary/${id}`}>{word}</a> },
            { head: 'Japanese', cell: ({ japanese_token: { printed } }) => <span lang="ja">{printed}</span> },
            { head: 'What it means', cell: ({ natural_language_description: text }) => text }
          ]}
        />
        <p class="note">{glossary.how_the_japanese_was_checked}</p>
      </>
    )
  })
})
