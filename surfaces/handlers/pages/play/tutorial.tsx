import { counted, NullableText, Text } from 'pantry/data'
import { definePage, Type } from 'pantry/page'
import { lastOf, spoken } from '../../../common/words.ts'

const Tutorial = Type.Object({
  how_it_was_checked: Text,
  documents_cited: Type.Record(Text, Type.Object({ title: Text, publisher: Text, url: Text })),
  sections: Type.Array(Type.Object({ id: Text, number: Type.Integer(), title: Text }))
})

export default definePage({
  shows: { tutorial: Tutorial },
  view: ({ shown: { tutorial } }) => ({
    title: 'Learn the One Piece Card Game',
    main: (
      <>
        <p class="lead">
          Short sections, from the first card to a whole match. Then{' '}
          <a href="/play/practice">play one against the built-in opponent</a>; <a href="/play/glossary">the glossary</a>{' '}
          has every word.
        </p>
        <ol class="tiles">
          {tutorial.sections.map(({ id, number, title }) => (
            <li>
              <h2>
                <a href={`/play/tutorial/${id}`}>{title}</a>
              </h2>
              <p class="note">Section {number}</p>
            </li>
          ))}
        </ol>
        <h2>How it was checked</h2>
        <p>{tutorial.how_it_was_checked}</p>
        <ul>
          {Object.values(tutorial.documents_cited).map(({ title, publisher, url }) => (
            <li>
              <a href={url} rel="noreferrer">
                {title}
              </a>
              , {publisher}
            </li>
          ))}
        </ul>
      </>
    )
  })
})

const Ruled = Type.Array(Type.Object({ text: Text }))
const Section = Type.Object({
  section: Type.Object({
    number: Type.Integer(),
    title: Text,
    natural_language_body: Text,
    rule_structure: Type.Object({
      preconditions: Ruled,
      transitions: Type.Array(Type.Object({ actor: Text, text: Text })),
      outcomes: Ruled
    }),
    examples: Type.Array(Type.Object({ title: Text, because: Text })),
    keywords: Type.Array(Type.Object({ term: Text })),
    rule_sources: Type.Array(Type.Object({ section: Text, number: NullableText, certainty: Text, note: NullableText })),
    estimated_read_minutes: Type.Integer(),
    previous_section: NullableText,
    next_section: NullableText
  })
})

export const section = definePage({
  shows: { section: Section },
  view: ({
    shown: {
      section: { section }
    }
  }) => ({
    title: section.title,
    crumbs: [{ label: 'Tutorial', path: '/play/tutorial' }],
    main: (
      <>
        <p>
          Section {section.number}, {counted(section.estimated_read_minutes, 'minute')}
        </p>
        <p class="lead">{section.natural_language_body}</p>
        <h2>What must be so</h2>
        <ul>
          {section.rule_structure.preconditions.map(({ text }) => (
            <li>{text}</li>
          ))}
        </ul>
        <h2>What happens</h2>
        <ol>
          {section.rule_structure.transitions.map(({ actor, text }) => (
            <li>
              <strong>{spoken(actor)}</strong>: {text}
            </li>
          ))}
        </ol>
        <h2>What comes of it</h2>
        <ul>
          {section.rule_structure.outcomes.map(({ text }) => (
            <li>{text}</li>
          ))}
        </ul>
        {section.examples.length > 0 && <h2>Examples</h2>}
        <ul>
          {section.examples.map(({ title, because }) => (
            <li>
              <strong>{title}</strong>: {because}
            </li>
          ))}
        </ul>
        <h2>Words</h2>
        <ul class="views">
          {section.keywords.map(({ term }) => (
            <li>
              <a href={`/play/glossary/${term}`}>{spoken(term)}</a>
            </li>
          ))}
        </ul>
        <h2>Where the rules say so</h2>
        <ul>
          {section.rule_sources.map(({ section: name, number, certainty, note }) => (
            <li>
              {number === null ? '' : `${number} `}
              {name}
              {certainty === 'sure' ? '' : `, ${certainty}`}
              {note === null ? '' : `: ${note}`}
            </li>
          ))}
        </ul>
        <nav aria-label="Sections">
          <ul class="views">
            {section.previous_section !== null && (
              <li>
                <a href={`/play/tutorial/${lastOf(section.previous_section)}`} rel="prev">
                  The section before
                </a>
              </li>
            )}
            {section.next_section === null ? (
              <li>
                <a href="/play/practice">Play a match</a>
              </li>
            ) : (
              <li>
                <a href={`/play/tutorial/${lastOf(section.next_section)}`} rel="next">
                  The next section
                </a>
              </li>
            )}
          </ul>
        </nav>
      </>
    )
  })
})
