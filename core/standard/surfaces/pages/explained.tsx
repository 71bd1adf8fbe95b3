import { counted, NullableText, Text, Texts, type DataOf } from 'pantry/data'
import { Facts, Table, Type, type VNode } from 'pantry/page'
import { Answer, Code, type Answered } from './answer.tsx'
import { Field } from './field.tsx'

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
}>

/**
 * The form that calls a surface: with a body if the surface may be sent one, else with a field for each parameter; a
 * note if the explorer does not run the surface.
 */
function TryIt({ surface: { request, parameters, calls }, path, body = request.body }: Explained): VNode {
  if (request.sends !== null)
    return (
      <section>
        <h2>Try it</h2>
        <form class="run" method="post" action={`${path}#answer`}>
          <label for="body">JSON body</label>
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
            {parameters.find(parameter => parameter.in === 'body')?.description} Nothing of it is kept.
          </small>
          <button type="submit">Run</button>
        </form>
      </section>
    )
  if (!request.runs)
    return (
      <p class="note">
        This page runs only what reads, and what computes from what is sent.
        {calls !== null && ' The calls below can be copied.'}
      </p>
    )
  return (
    <section>
      <h2>Try it</h2>
      <form class="run" method="get" action={`${path}#answer`}>
        <input type="hidden" name="run" value="yes" />
        {parameters.map((parameter, at) =>
          parameter.in === 'method' ? null : <Field at={at} {...parameter} value={request.values[at] ?? ''} />
        )}
        <button type="submit">Run</button>
      </form>
      {request.missing.length > 0 && <p role="alert">Please give {request.missing.join(', ')} first.</p>}
    </section>
  )
}

/** The content of the page of one surface: what it does, a form that calls it, its answer, and calls to copy. */
export function Explained(props: Explained): VNode {
  const { surface, path, answered } = props
  return (
    <>
      <nav aria-label="Where this is">
        <a href="/explore">Explore</a> › <a href={`/explore?q=${encodeURIComponent(surface.area)}`}>{surface.area}</a>
      </nav>
      <p>
        <code>
          {surface.methods.join(', ')} {surface.path}
        </code>
      </p>
      {surface.description !== surface.summary && <p>{surface.description}</p>}
      {surface.see_also.page !== null && (
        <p>
          <a href={surface.see_also.page}>The same as a page</a>
        </p>
      )}
      <TryIt {...props} />
      {answered !== undefined && <Answer {...answered} />}
      {surface.examples.length > 0 && <h2>Examples</h2>}
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
            answers {status}
            {query === null && (
              <details>
                <summary>As a command</summary>
                <Code label="Command" text={calls.curl} />
              </details>
            )}
          </li>
        ))}
      </ul>
      {surface.calls !== null && (
        <section>
          <h2>Calls</h2>
          {Object.entries({
            curl: surface.calls.curl,
            JavaScript: surface.calls.javascript,
            Python: surface.calls.python
          }).map(([language, text]) => (
            <>
              <h3>{language}</h3>
              <Code label={language} text={text} />
            </>
          ))}
        </section>
      )}
      <h2>Rights and freshness</h2>
      <Facts
        of={{
          License: `${surface.rights.license}. ${surface.rights.license_meaning}`,
          Sources: surface.rights.sources
            .map(({ source, license, meaning }) => `${source} (${license}): ${meaning}`)
            .join(' '),
          'Does not include': surface.rights.does_not_include.join(' ') || 'nothing is left out on purpose',
          'May be kept': `${counted(surface.freshness.seconds, 'second')}. ${surface.freshness.meaning}`,
          'Who may call it': surface.access_meaning,
          Stability: surface.stability,
          Since: surface.since,
          Formats: surface.formats.join(', ')
        }}
      />
      <h2>What it answers</h2>
      <details>
        <summary>{surface.answer.length} members</summary>
        <Table
          caption="Members of the answer; `[]` is each item of a list"
          rows={surface.answer}
          none="It answers a text."
          columns={[
            { head: 'Member', cell: ({ at }) => <code>{at}</code> },
            { head: 'Type', cell: ({ type }) => type },
            { head: 'Always there', cell: ({ required }) => (required ? 'yes' : 'no') },
            { head: 'Meaning', cell: ({ description }) => description }
          ]}
        />
      </details>
      <h2>Its manifest</h2>
      <p>
        This file declares it: <code>{surface.manifest.file}</code>. To change it, edit the file and run{' '}
        <code>pantry validate</code>.
      </p>
      <Code label="Manifest" text={surface.manifest.text} />
    </>
  )
}
