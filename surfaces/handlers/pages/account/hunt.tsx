import { defineForm, definePage } from 'pantry/page'
import { CaseSheet } from '../../../coverage/hunt/page.tsx'
import { ReviewList } from '../../../coverage/hunt/cases.ts'
import { ReviewRequest } from '../../../coverage/hunt/rules.ts'

export default definePage({
  shows: { hunt: ReviewList },
  forms: { review: defineForm({ title: 'Review a case', fields: ReviewRequest, limitBytes: 8192 }) },
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
