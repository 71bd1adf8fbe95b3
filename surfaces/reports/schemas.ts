import { closed, nullable, Text, Type, type DataOf } from 'pantry/data'

/** The kinds of content that can be reported. */
const reportable = ['listing', 'review', 'organisation'] as const
export type Reportable = (typeof reportable)[number]

/** The grounds of a report. */
export const grounds = ['fraud', 'offensive', 'personal-data', 'rights', 'other'] as const

/** The body of a request that reports content. */
export const ReportRequest = Type.Object(
  {
    kind: Type.Enum(reportable, { description: 'What it is.' }),
    of: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Which one: the id of the auction or of the review, or the short name of the collective.'
    }),
    ground: Type.Enum(grounds, { description: 'What is wrong with it.' }),
    text: Type.String({
      minLength: 10,
      maxLength: 1000,
      description: 'In your words. Admins alone read it; whoever you report is never told who did.'
    })
  },
  { additionalProperties: false }
)
export type ReportRequest = DataOf<typeof ReportRequest>

/** The schema of a report as its author sees it. */
export const OwnReport = closed({
  id: Text,
  kind: Type.Enum(reportable),
  ground: Type.Enum(grounds),
  text: Text,
  reported_at: Text,
  decision: nullable(Type.Enum(['removed', 'kept'])),
  decided_at: nullable(Text)
})

/** The schema of a report as an admin sees it: with the reported content and the reporter. */
export const WaitingReport = closed({
  id: Text,
  kind: Type.Enum(reportable),
  ground: Type.Enum(grounds),
  text: Text,
  reported_at: Text,
  reporter: Text,
  of: nullable(Text, 'Null where it is gone.'),
  shown: nullable(Text, 'What is reported, in its own words.'),
  page: nullable(Text)
})

/** The body of a request that decides a report. */
export const ReportDecision = Type.Object(
  {
    decision: Type.Enum(['remove', 'keep'], { description: '`remove` takes the thing out of sight at once.' }),
    reason: Type.String({
      minLength: 3,
      maxLength: 1000,
      description: 'Written down. The seller of a listing that is cancelled by it sees it: name nobody.'
    })
  },
  { additionalProperties: false }
)
export type ReportDecision = DataOf<typeof ReportDecision>
