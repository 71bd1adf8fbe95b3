import type { PathTo } from 'pantry/data'
import type { IdentifyEcho } from './schemas.ts'

type IdentifyPointer = Readonly<{ url: string; why: string }>

const tools = (pathTo: PathTo, format: string): IdentifyPointer => ({
  url: `${pathTo('tools')}?format=${format}`,
  why: 'Every surface as a function in the form you named.'
})

const byShape = (pathTo: PathTo): Readonly<Record<string, IdentifyPointer>> => ({
  anthropic: tools(pathTo, 'anthropic'),
  openai: tools(pathTo, 'openai'),
  gemini: tools(pathTo, 'gemini'),
  cohere: tools(pathTo, 'cohere'),
  raw_json: { url: pathTo('openapi'), why: 'You call over plain HTTP: this is the contract.' }
})

const byModality = (pathTo: PathTo): Readonly<Record<string, IdentifyPointer>> => ({
  math: { url: pathTo('universal/encoding'), why: 'How structural documents are hashed, and how to check one.' },
  'plain-text': { url: pathTo('llms'), why: 'The service in plain text.' }
})

/** Returns links that may interest the sender of a declaration. */
export function pointersFor(
  {
    preferred_modalities: modalities,
    capabilities: { provider_shape: shape }
  }: Pick<IdentifyEcho, 'preferred_modalities' | 'capabilities'>,
  pathTo: PathTo
): readonly IdentifyPointer[] {
  const start: IdentifyPointer = {
    url: pathTo('hospitality/welcome'),
    why: 'A first page for whoever has just arrived.'
  }
  const modality = byModality(pathTo)
  const found = [shape === null ? undefined : byShape(pathTo)[shape], ...modalities.map(name => modality[name])]
  return [start, ...found.filter(pointer => pointer !== undefined)]
}
