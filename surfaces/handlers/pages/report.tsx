import { closed, Text, Type } from 'pantry/data'
import { defineForm, definePage } from 'pantry/page'
import { FeedbackForm } from '../../pages/feedback.tsx'

const send = defineForm({
  title: 'The report was not sent',
  fields: closed({
    observation: Type.String({ minLength: 1, maxLength: 4000 }),
    keep: Type.Optional(Type.Boolean()),
    reply_may_be_public: Type.Optional(Type.Boolean())
  }),
  reply: Type.Object({ id: Text, kept_for_days: Type.Integer() }),
  toBody: ({ observation, keep = false, reply_may_be_public }) => ({
    report: { kind: 'general', observation },
    consent: { keep, reply_may_be_public: reply_may_be_public === true }
  }),
  view: ({ sent: { data } }) =>
    data && {
      title: 'Your report was sent',
      main: (
        <>
          <p role="status">
            Thank you. The operator reads it; it is kept for {data.kept_for_days} days at most. Your reference:
          </p>
          <p>
            <code>{data.id}</code>
          </p>
          <p>
            With it you can take the report back: <a href="/explore/post_hospitality_feedback_withdrawn">how</a>.
          </p>
        </>
      )
    }
})

export default definePage({
  query: Type.Object({
    about: Type.Optional(
      Type.String({ pattern: '^/[!-~]*$', maxLength: 300, description: 'The path of the page that it is about.' })
    ),
    fact: Type.Optional(Type.String({ maxLength: 200, description: 'What of that page it is about.' }))
  }),
  forms: { send },
  view: ({ query: { about, fact }, formToken, path }) => ({
    title: 'Report a mistake',
    description: 'Tell the operator that a fact is wrong or that a card is missing.',
    main: (
      <FeedbackForm
        action={path}
        token={formToken}
        observation={about === undefined ? '' : `${[about, fact].filter(Boolean).join(', ')}: `}
      />
    )
  })
})
