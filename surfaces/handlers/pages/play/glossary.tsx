import { Text, Texts } from 'pantry/data'
import { definePage, Facts, Table, Type } from 'pantry/page'
import { spoken } from '../../../common/words.ts'

const Glossary = Type.Object({
  how_the_japanese_was_checked: Text,
  terms: Type.Array(
    Type.Object({
      id: Text,
      english_token: Text,
      japanese_token: Type.Object({ printed: Text }),
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

const Term = Type.Object({
  term: Type.Object({
    english_token: Text,
    japanese_token: Type.Object({ printed: Text, reading: Text, romaji: Text }),
    natural_language_description: Text,
    structural_definition: Type.Object({ kind: Text, invariants: Texts }),
    related_terms: Type.Array(Type.Object({ term: Text })),
    introduced_in: Type.Object({ section: Text })
  })
})

export const term = definePage({
  shows: { term: Term },
  view: ({
    shown: {
      term: { term }
    }
  }) => ({
    title: term.english_token,
    crumbs: [{ label: 'Words', path: '/play/glossary' }],
    main: (
      <>
        <p class="lead">{term.natural_language_description}</p>
        <Facts
          of={{
            Japanese: (
              <>
                <span lang="ja">{term.japanese_token.printed}</span>, read{' '}
                <span lang="ja">{term.japanese_token.reading}</span> ({term.japanese_token.romaji})
              </>
            ),
            Kind: spoken(term.structural_definition.kind)
          }}
        />
        <h2>What always holds</h2>
        <ul>
          {term.structural_definition.invariants.map(one => (
            <li>{one}</li>
          ))}
        </ul>
        <h2>Read on</h2>
        <ul class="views">
          <li>
            <a href={`/play/tutorial/${term.introduced_in.section}`}>Where it is explained</a>
          </li>
          {term.related_terms.map(({ term: id }) => (
            <li>
              <a href={`/play/glossary/${id}`}>{spoken(id)}</a>
            </li>
          ))}
        </ul>
      </>
    )
  })
})
