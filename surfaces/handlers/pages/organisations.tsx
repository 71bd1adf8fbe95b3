import { definePage, Type } from 'pantry/page'
import { Directory } from '../../collectors/directory.ts'
import { DirectoryForm, Entries } from '../../collectors/page/directory.tsx'

const Word = (description: string) => Type.Optional(Type.String({ maxLength: 80, description }))

export default definePage({
  query: Type.Object({
    q: Word('Part of the name or the description.'), kind: Word('What it is.'), game: Word('Token or slug of a game that it plays.'), region: Word('Country or territory.'), language: Word('Language tag.'),
    limit: Word('Most entries to show.'), offset: Word('How many entries to leave out first.')
  }),
  shows: { directory: Directory },
  view: ({ shown: { directory }, query, formToken }) => ({
    title: 'Collectives',
    main: (
      <>
        <p class="lead">Clubs, shops and other collectives that asked to be listed. Each says of itself what stands here: nobody checked it.</p>
        <DirectoryForm query={query} />
        <Entries directory={directory} token={formToken} />
        <p>The collective that you speak for is listed <a href="/account/organisation">under your account</a>.</p>
      </>
    )
  })
})
