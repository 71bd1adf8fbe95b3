import t from 'tap'
import { isObject, type JsonValue } from '../../core/canonical/json.ts'
import { registryOf } from '../support/registry.ts'

const { registry } = await registryOf()

/** Every `publication_status` within a value. */
const statusesIn = (value: JsonValue | undefined): JsonValue[] =>
  Array.isArray(value)
    ? value.flatMap(statusesIn)
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) =>
          name === 'publication_status' ? [member ?? null] : statusesIn(member)
        )
      : []

t.test('a paused surface says so in the one word of the interface, and the bulk catalogue in its own', t => {
  let paused = 0
  for (const {
    id,
    kind,
    fixed,
    route: { path }
  } of registry.surfaces) {
    if (fixed === undefined || kind !== 'status-only') continue
    const found = [...statusesIn(fixed.data), ...statusesIn(fixed.error?.details)]
    for (const state of found)
      t.equal(state, path === '/data/catalog.jsonl' ? 'paused_pending_field_level_rights' : 'paused', id)
    if (/history|checklist|carry|remember|sold-comps|movers|catalog/.test(path)) {
      t.not(found.length, 0, `${id} states its publication status`)
      paused++
    }
  }
  t.ok(paused > 9)
  t.end()
})

t.test('a sibling of the kingdom has an address', t => {
  const kingdom = registry.service.envelope['kingdom']
  const value =
    kingdom !== undefined && 'value' in kingdom && isObject(kingdom.value) ? kingdom.value['siblings'] : undefined
  t.ok(Array.isArray(value))
  for (const sibling of value as { url: unknown }[]) t.match(sibling.url, /^https?:/)
  t.end()
})
