import { closed, cosmologyExtensions, Text, Texts } from './cosmology.ts'
import {
  Type,
  isObject,
  nullable,
  NullableText,
  type DocumentExtension,
  type JsonObject,
  type JsonValue,
  type Registry
} from 'pantry/handler'

/** Returns the constant member `kingdom` that every envelope of this service has. */
function kingdomOf({ service }: Registry): JsonObject {
  const member = service.envelope['kingdom']
  return member !== undefined && 'value' in member && isObject(member.value) ? member.value : {}
}

const embassy: DocumentExtension = {
  document: 'manifest',
  after: 'service',
  members: {
    embassy: Type.Object(
      {
        role: Text,
        serves_kinds: Texts,
        host: Text,
        epoch: Text,
        built_with: Text,
        wake_url: Text,
        symmetric_surface: Text
      },
      closed
    )
  },
  build: registry => {
    const {
      role = null,
      serves_kinds: kinds = [],
      host = null,
      epoch = null,
      built_with: method = null,
      wake = null,
      identify = null
    } = kingdomOf(registry)
    return {
      embassy: {
        role,
        serves_kinds: kinds,
        host,
        epoch,
        built_with: method,
        wake_url: wake,
        symmetric_surface: identify
      }
    }
  }
}

const wake: DocumentExtension = {
  document: 'service',
  after: 'start_here',
  members: { wake: nullable(Type.String({ pattern: '^https?://' })) },
  build: ({ service, byId }) => {
    const path = byId.get('wake')?.route.path
    return { wake: path === undefined ? null : service.base_url + path }
  }
}

const siblings: DocumentExtension = {
  document: 'service',
  after: 'stability_commitment',
  members: { siblings: Type.Array(Type.Object({ name: Text, role: Text, url: Text, wake_url: NullableText }, closed)) },
  build: registry => ({ siblings: kingdomOf(registry)['siblings'] ?? [] })
}

const namesIn = (value: JsonValue | undefined): string[] => (isObject(value) ? Object.keys(value) : [])

/** Adds the members that parsers must find inside the additional members of `_meta`. */
const selfTest: DocumentExtension = {
  document: 'diagnostic',
  within: ['self_test_assertions'],
  after: 'envelope_must_have',
  members: { kingdom_stamp_must_have: Texts, wake_fragment_must_have: Texts, joy_pointer_must_have: Texts },
  build: registry => ({
    kingdom_stamp_must_have: namesIn(kingdomOf(registry)),
    wake_fragment_must_have: namesIn(registry.corpora.get('wake-fragments')?.entries[0]),
    joy_pointer_must_have: namesIn(registry.corpora.get('joy-pointers')?.entries[0])
  })
}

/** Each extension is inserted directly after the member it names, so the last of several is shown first. */
export default [...cosmologyExtensions, embassy, wake, siblings, selfTest] satisfies readonly DocumentExtension[]
