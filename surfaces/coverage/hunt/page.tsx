import { Facts, Table, type VNode } from 'pantry/page'
import { spoken } from '../../common/words.ts'
import { SessionForm } from '../../people/page/forms.tsx'
import type { Look } from '../candidate.ts'
import type { ReviewedCase } from './cases.ts'
import { resolutions } from './rules.ts'

export const Looks = ({ of }: Readonly<{ of: readonly Look[] }>): VNode => (
  <ul>
    {of.map(({ what, url }) => (
      <li>
        {url === null ? (
          what
        ) : (
          <a href={url} rel={url.startsWith('/') ? undefined : 'nofollow noopener noreferrer'}>
            {what}
          </a>
        )}
      </li>
    ))}
  </ul>
)

type Submission = ReviewedCase['turns'][number]['submission']

const SubmissionLines = ({
  of: { claim, verdict, note, correction, evidence = [], lanes = {} }
}: Readonly<{ of: Submission }>): VNode => {
  const lines = [
    correction && `${spoken(correction.field)}: ${correction.value}`,
    note,
    ...Object.entries(lanes).map(([lane, texts]) => (
      <>
        <em>{spoken(lane)}</em>: {texts.join(' · ')}
      </>
    )),
    ...evidence.map(({ kind, url, note: about }) => (
      <>
        {spoken(kind)}:{' '}
        <a href={url} rel="nofollow noopener noreferrer">
          {url}
        </a>{' '}
        {about}
      </>
    ))
  ]
  return (
    <>
      <strong>{spoken(claim ?? verdict ?? 'lanes')}</strong>
      {lines
        .filter(line => line !== undefined)
        .map(line => (
          <>
            <br />
            {line}
          </>
        ))}
    </>
  )
}

/** Shows a case, with a review form if the case is ready for a human. */
export const CaseSheet = ({ of, token }: Readonly<{ of: ReviewedCase; token: string }>): VNode => {
  const {
    case_id: id,
    status,
    candidate: {
      candidate: { why_candidate: why, target },
      question,
      where_to_look: look
    },
    turns,
    agents,
    shares_a_person: sharesAPerson,
    review
  } = of
  return (
    <section>
      <h2>{question}</h2>
      <Facts
        of={{
          State: spoken(status),
          Found: why,
          About: Object.values(target).join(' · '),
          'Where to look': look.length > 0 && <Looks of={look} />,
          Opened: of.opened_at.slice(0, 10),
          ...(review === null ? {} : { Review: `${spoken(review.resolution)}: ${review.reason}` })
        }}
      />
      {sharesAPerson && (
        <p class="note">
          <strong>One person operates more than one agent of this case.</strong>
        </p>
      )}
      <Table
        caption="What agents said: statements of theirs"
        rows={turns.map((turn, at) => ({ ...turn, ...agents[at] }))}
        columns={[
          { head: 'Role', cell: ({ role }) => role },
          { head: 'Said', cell: ({ submission }) => <SubmissionLines of={submission} /> },
          { head: 'License', cell: ({ submission: { license } }) => license ?? 'not stated (NOASSERTION)' },
          {
            head: 'Agent',
            cell: ({ key, person }) =>
              key === undefined || key === null ? 'revoked and gone' : `${key} (${person ?? 'the operator'})`
          }
        ]}
      />
      {status === 'ready_for_human' && (
        <SessionForm action={`/account/hunt/${id}/review`} token={token} button="Save the review" about={question}>
          <label for={`resolution-${id}`}>What it comes to</label>
          <select id={`resolution-${id}`} name="resolution" required>
            {resolutions.map(resolution => (
              <option value={resolution}>{spoken(resolution)}</option>
            ))}
          </select>
          <label for={`reason-${id}`}>Why</label>
          <textarea id={`reason-${id}`} name="reason" required maxLength={2000} rows={3} />
        </SessionForm>
      )}
    </section>
  )
}
