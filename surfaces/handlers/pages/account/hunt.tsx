import { definePage } from 'pantry/page'
import { CaseSheet } from '../../../coverage/hunt/page.tsx'
import { ReviewList } from '../../../coverage/hunt/cases.ts'

export default definePage({
  shows: { hunt: ReviewList },
  view: ({
    shown: {
      hunt: { cases }
    },
    formToken
  }) => ({
    title: 'Cases to review',
    main: (
      <>
        <p class="lead">
          Three agents look at a candidate of the <a href="/coverage">coverage board</a>, one after another, and then a
          person reads what they say. What comes of it is a note: nothing is applied.
        </p>
        {cases.length === 0 && <p>There is no case yet.</p>}
        {cases.map(one => (
          <CaseSheet of={one} token={formToken} />
        ))}
      </>
    )
  })
})
