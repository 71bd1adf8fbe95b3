import { fill, NullableText, Text, Texts, type DataOf } from 'pantry/data'
import { Facts, Table, Type, type VNode } from 'pantry/page'
import { Answer, answerTexts, Code, type Answered, type Saying } from './answer.tsx'
import { Field, fieldTexts } from './field.tsx'

/** What the page of a surface says. */
export const texts = {
  ...answerTexts,
  ...fieldTexts,
  tryIt: 'Try it',
  body: 'JSON body',
  notKept: 'Nothing of it is kept.',
  run: 'Run',
  onlyReads: 'This page runs only what reads, and what computes from what is sent.',
  below: 'The calls below can be copied.',
  first: 'Please give {names} first.',
  explore: 'Explore',
  asPage: 'The same as a page',
  examples: 'Examples',
  answers: 'answers {status}',
  asCommand: 'As a command',
  command: 'Command',
  calls: 'Calls',
  rights: 'Rights and freshness',
  license: 'License',
  sources: 'Sources',
  without: 'Does not include',
  nothing: 'nothing is left out on purpose',
  kept: 'May be kept',
  oneSecond: '1 second',
  seconds: '{count} seconds',
  callers: 'Who may call it',
  stability: 'Stability',
  since: 'Since',
  formats: 'Formats',
  itAnswers: 'What it answers',
  members: '{count} members',
  caption: 'Members of the answer; `[]` is each item of a list',
  aText: 'It answers a text.',
  member: 'Member',
  type: 'Type',
  always: 'Always there',
  yes: 'yes',
  no: 'no',
  meaning: 'Meaning',
  manifest: 'Its manifest',
  declared: 'This file declares it:',
  change: 'To change it, edit the file and run',
  manifestLabel: 'Manifest'
} as const

const Calls = Type.Object({ curl: Text, javascript: Text, python: Text })
export const Surface = Type.Object({
  name: Text,
  area: Text,
  summary: Text,
  description: Text,
  path: Text,
  methods: Texts,
  access_meaning: Text,
  stability: Text,
  since: Text,
  formats: Texts,
  rights: Type.Object({
    license: Text,
    license_meaning: Text,
    provenance: Text,
    sources: Type.Array(Type.Object({ source: Text, license: Text, meaning: Text })),
    does_not_include: Texts
  }),
  freshness: Type.Object({ seconds: Type.Integer(), meaning: Text }),
  parameters: Type.Array(
    Type.Object({ name: Text, in: Text, required: Type.Boolean(), description: Text, schema: Type.Unknown() })
  ),
  request: Type.Object({
    runs: Type.Boolean(),
    values: Texts,
    url: NullableText,
    missing: Texts,
    sends: NullableText,
    body: Text
  }),
  calls: Type.Union([Calls, Type.Null()]),
  answer: Type.Array(Type.Object({ at: Text, type: Text, required: Type.Boolean(), description: Text })),
  examples: Type.Array(
    Type.Object({ title: Text, method: Text, url: Text, status: Type.Integer(), query: NullableText, calls: Calls })
  ),
  manifest: Type.Object({ file: Text, text: Text }),
  see_also: Type.Object({ page: NullableText })
})

type Explained = Readonly<{
  surface: DataOf<typeof Surface>
  path: string
  /** The request that this page made to the surface, with its answer. */
  answered?: Answered | undefined
  /** The body that was sent with that request; without one, the form begins with the body of an example. */
  body?: string
}> &
  Saying<typeof texts>

/**
 * The form that calls a surface: with a body if the surface may be sent one, else with a field for each parameter; a
 * note if the explorer does not run the surface.
 */
function TryIt({ surface: { request, parameters, calls }, path, body = request.body, texts }: Explained): VNode {
  if (request.sends !== null)
    return (
      <section>
        <h2>{texts.tryIt}</h2>
        <form class="run" method="post" action={`${path}#answer`}>
          <label for="body">{texts.body}</label>
          <textarea
            id="body"
            name="body"
            rows={Math.min(20, body.split('\n').length + 1)}
            spellcheck={false}
            aria-describedby="body-hint"
          >
            {body}
          </textarea>
          <small id="body-hint">
            {parameters.find(parameter => parameter.in === 'body')?.description} {texts.notKept}
          </small>
          <button type="submit">{texts.run}</button>
        </form>
      </section>
    )
  if (!request.runs)
    return (
      <p class="note">
        {texts.onlyReads}
        {calls !== null && ` ${texts.below}`}
      </p>
    )
  return (
    <section>
      <h2>{texts.tryIt}</h2>
      <form class="run" method="get" action={`${path}#answer`}>
        <input type="hidden" name="run" value="yes" />
        {parameters.map((parameter, at) =>
          parameter.in === 'method' ? null : (
            <Field at={at} {...parameter} value={request.values[at] ?? ''} texts={texts} />
          )
        )}
        <button type="submit">{texts.run}</button>
      </form>
      {request.missing.length > 0 && <p role="alert">{fill(texts.first, { names: request.missing.join(', ') })}</p>}
    </section>
  )
}

/** The content of the page of one surface: what it does, a form that calls it, its answer, and calls to copy. */
export function Explained(props: Explained): VNode {
  const { surface, path, answered, texts } = props
  const { seconds } = surface.freshness
  return (
    <>
      <p>
        <code>
          {surface.methods.join(', ')} {surface.path}
        </code>
      </p>
      {surface.description !== surface.summary && <p>{surface.description}</p>}
      {surface.see_also.page !== null && (
        <p>
          <a href={surface.see_also.page}>{texts.asPage}</a>
        </p>
      )}
      <TryIt {...props} />
      {answered !== undefined && <Answer {...answered} texts={texts} />}
      {surface.examples.length > 0 && <h2>{texts.examples}</h2>}
      <ul>
        {surface.examples.map(({ title, method, url, status, query, calls }) => (
          <li>
            {query === null ? (
              title
            ) : (
              <a href={`${path}${query}#answer`} rel="nofollow">
                {title}
              </a>
            )}{' '}
            <code>
              {method} {url}
            </code>{' '}
            {fill(texts.answers, { status })}
            {query === null && (
              <details>
                <summary>{texts.asCommand}</summary>
                <Code label={texts.command} text={calls.curl} texts={texts} />
              </details>
            )}
          </li>
        ))}
      </ul>
      {surface.calls !== null && (
        <section>
          <h2>{texts.calls}</h2>
          {Object.entries({
            curl: surface.calls.curl,
            JavaScript: surface.calls.javascript,
            Python: surface.calls.python
          }).map(([language, text]) => (
            <>
              <h3>{language}</h3>
              <Code label={language} text={text} texts={texts} />
            </>
          ))}
        </section>
      )}
      <h2>{texts.rights}</h2>
      <Facts
        of={{
          [texts.license]: `${surface.rights.license}. ${surface.rights.license_meaning}`,
          [texts.sources]: surface.rights.sources
            .map(({ source, license, meaning }) => `${source} (${license}): ${meaning}`)
            .join(' '),
          [texts.without]: surface.rights.does_not_include.join(' ') || texts.nothing,
          [texts.kept]: `${fill(seconds === 1 ? texts.oneSecond : texts.seconds, { count: seconds })}. ${surface.freshness.meaning}`,
          [texts.callers]: surface.access_meaning,
          [texts.stability]: surface.stability,
          [texts.since]: surface.since,
          [texts.formats]: surface.formats.join(', ')
        }}
      />
      <h2>{texts.itAnswers}</h2>
      <details>
        <summary>{fill(texts.members, { count: surface.answer.length })}</summary>
        <Table
          caption={texts.caption}
          rows={surface.answer}
          none={texts.aText}
          columns={[
            { head: texts.member, cell: ({ at }) => <code>{at}</code> },
            { head: texts.type, cell: ({ type }) => type },
            { head: texts.always, cell: ({ required }) => (required ? texts.yes : texts.no) },
            { head: texts.meaning, cell: ({ description }) => description }
          ]}
        />
      </details>
      <h2>{texts.manifest}</h2>
      <p>
        {texts.declared} <code>{surface.manifest.file}</code>. {texts.change} <code>pantry validate</code>.
      </p>
      <Code label={texts.manifestLabel} text={surface.manifest.text} texts={texts} />
    </>
  )
}
