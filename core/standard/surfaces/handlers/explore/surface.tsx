import { defineForm, definePage, invalid, Type, type Beside, type Crumb, type JsonValue } from 'pantry/page'
import type { Answered } from '../../pages/answer.tsx'
import { Explained, Surface, texts } from '../../pages/explained.tsx'

/** Parses the JSON that a person typed; throws a refusal (400) if it is not valid. */
function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw invalid('body', `The body is no JSON: ${(error as SyntaxError).message}.`)
  }
}

const answered = (method: Answered['method'], url: string | null, answer: Beside): Answered | undefined =>
  url === null ? undefined : { method, url, answer }

/** The explorer, and what it shows of the area of a surface. */
const crumbsOf = ({ area }: Readonly<{ area: string }>, label: string): Crumb[] => [
  { label, path: '/explore' },
  { label: area, path: `/explore?q=${encodeURIComponent(area)}` }
]

const send = defineForm({
  texts,
  shows: { surface: Surface },
  fields: Type.Object(
    { body: Type.String({ maxLength: 70_000, description: 'The JSON body to send.' }) },
    { additionalProperties: false }
  ),
  reply: Type.Unknown(),
  toBody: ({ body }) => readJson(body),
  view: ({ shown: { surface }, form: { body }, sent, path, texts }) => ({
    title: surface.summary,
    crumbs: crumbsOf(surface, texts.explore),
    scripts: ['copy.js'],
    main: <Explained {...{ surface, path, body, texts }} answered={answered('POST', surface.request.sends, sent)} />
  })
})

export default definePage({
  texts,
  shows: { surface: Surface },
  besides: { answer: Type.Unknown() },
  forms: { send },
  view: ({ shown: { surface }, beside: { answer }, path, texts }) => ({
    title: surface.summary,
    crumbs: crumbsOf(surface, texts.explore),
    scripts: ['copy.js', 'run.js'],
    main: <Explained {...{ surface, path, texts }} answered={answered('GET', surface.request.url, answer)} />
  })
})
