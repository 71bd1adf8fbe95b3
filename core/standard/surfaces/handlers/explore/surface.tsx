import { defineForm, definePage, invalid, Type, type Beside, type JsonValue } from 'pantry/page'
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

const send = defineForm({
  texts,
  shows: { surface: Surface },
  fields: Type.Object(
    { body: Type.String({ maxLength: 70_000, description: 'The JSON body to send.' }) },
    { additionalProperties: false }
  ),
  // In a form, each byte of the body may take three bytes (WHATWG URL §5.2).
  limitBytes: 210_100,
  reply: Type.Unknown(),
  toBody: ({ body }) => readJson(body),
  view: ({ shown: { surface }, form: { body }, sent, path, texts }) => ({
    title: surface.summary,
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
    scripts: ['copy.js', 'run.js'],
    main: <Explained {...{ surface, path, texts }} answered={answered('GET', surface.request.url, answer)} />
  })
})
