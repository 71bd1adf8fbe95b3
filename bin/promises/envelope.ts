import { isObject } from '../../core/canonical/json.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { requestOf } from './examples.ts'
import { jsonOf, type Promised, type Subject } from './subject.ts'

async function brokenEnvelope ({ ask, registry }: Subject, surface: Surface, members: Set<string>): Promise<readonly string[]> {
  const example = surface.examples.find(({ url }) => !/[?&]format=/.test(url))
  if (example === undefined) return []
  const response = await ask(example.url, requestOf(example))
  const value = await jsonOf(response)
  const what = `${surface.id} (${example.method} ${example.url})`
  if (!isObject(value) || !isObject(value['_meta'])) return [`${what} has no \`_meta\`.`]
  const meta = value['_meta']
  const spoken = surface.languages !== undefined && response.status < 400
  members.add(Object.keys(meta).filter(name => name !== 'language').sort().join(', '))
  const wanted = { license: surface.license, freshness_seconds: surface.freshness.seconds, spec_version: registry.service.spec_version }
  return [
    ...Object.entries(wanted).filter(([name, wanted]) => meta[name] !== wanted).map(([name, wanted]) => `${what} says ${name} ${JSON.stringify(meta[name])} instead of ${JSON.stringify(wanted)}.`),
    ...('language' in meta === spoken ? [] : [`${what} ${spoken ? 'does not say' : 'says'} in which language it is.`]),
    ...(Object.keys(value).sort().join() === (response.status < 400 ? '_meta,data' : '_meta,data,error') ? [] : [`${what} has the members ${Object.keys(value).join(', ')}.`]),
    ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].filter(name => !/^\d+$/.test(response.headers.get(name) ?? '')).map(name => `${what} has no header ${name}.`)
  ]
}

export const envelope: Promised = {
  name: 'Every enveloped answer carries the same facts about itself.',
  broken: async subject => {
    const members = new Set<string>()
    const found: string[] = []
    for (const surface of subject.registry.surfaces.filter(({ contract }) => contract === 'envelope')) found.push(...await brokenEnvelope(subject, surface, members))
    return members.size > 1 ? [...found, `\`_meta\` does not have the same members everywhere: ${[...members].join(' | ')}`] : found
  }
}
