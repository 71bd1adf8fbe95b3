import { definePage } from 'pantry/page'
import { CardLists, PasteForm } from '../../../collectors/page/lists.tsx'
import { Lists } from '../../../collectors/schemas.ts'

export default definePage({
  shows: { lists: Lists },
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
