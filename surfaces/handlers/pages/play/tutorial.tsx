import { Text } from 'pantry/data'
import { definePage, Type } from 'pantry/page'

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
