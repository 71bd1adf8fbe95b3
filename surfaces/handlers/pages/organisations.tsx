import { definePage, Type } from 'pantry/page'
import { GameNames, gameNamesOf } from '../../pages/schemas.ts'
import { Directory } from '../../people/organisations.ts'
import { ReportForm } from '../../people/page/forms.tsx'
import { DirectoryForm, Entries } from '../../people/page/organisations.tsx'

const Word = Type.Optional(Type.String({ maxLength: 80 }))

export default definePage({
  query: Type.Object({ q: Word, kind: Word, game: Word, region: Word, language: Word, limit: Word, offset: Word }),
  shows: { directory: Directory },
  besides: { names: GameNames },
  view: ({ shown: { directory }, beside: { names }, query, formToken, path }) => ({
    title: 'Collectives',
    main: (
      <>
        <p class="lead">
          Clubs, shops and other collectives that asked to be listed. Each describes itself here, and nobody checked it.
        </p>
        <DirectoryForm query={query} />
        <Entries
          directory={directory}
          games={tokens => gameNamesOf(names.data, tokens)}
          report={({ slug, display_name: name }) => (
            <ReportForm kind="organisation" of={slug} token={formToken} what={name} at={path} />
          )}
        />
        <p>
          The collective that you speak for is listed under <a href="/account">your account</a>.
        </p>
      </>
    )
  })
})
