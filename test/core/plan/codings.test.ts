import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import type { Encoding } from '../../../core/plan/choose.ts'
import { gzipTemplate as byteTemplate, prepareBody } from '../../../core/plan/codings.ts'

const decoders: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  identity: bytes => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync
}
const [time, id] = ['2026-11-26T12:00:00.000Z', 'req_0123456789abcdef']
const mediaType = 'application/json'
const texts = { small: 'words '.repeat(400), large: 'many words '.repeat(40_000) }

for (const [size, text] of Object.entries(texts)) {
  for (const pieces of [[text], [text, ` ${text}`, 'end']] as const) {
    t.test(`a ${size} body of ${pieces.length} pieces is the same in each coding`, async t => {
      const body = prepareBody({ mediaType, etag: () => '"x"', pieces })
      const whole = pieces.length === 1 ? text : `${text}${time} ${text}${id}end`
      for (const coding of ['identity', ...body.codings] as const) {
        const before = body.bytes()
        const first = body.write(coding, time, id)
        t.equal(first instanceof Promise, size === 'large' && coding !== 'identity', `${coding} of it is made apart`)
        // Who asks meanwhile waits for the same.
        for (const written of await Promise.all([first, body.write(coding, time, id)])) {
          const bytes = typeof written.body === 'string' ? Buffer.from(written.body, 'latin1') : written.body
          t.equal(bytes.length, written.length)
          t.equal(decoders[coding](bytes).toString(), whole, coding)
        }
        t.notOk(body.write(coding, time, id) instanceof Promise, 'it is made once')
        if (coding !== 'identity') t.ok(body.bytes() > before, 'and counted')
      }
    })
  }
}

/** The same with buffers instead of byte strings. */
function gzipTemplate(segments: readonly Buffer[]): Readonly<{ render: (values: readonly Buffer[]) => Buffer }> {
  const template = byteTemplate(segments)
  return { render: values => Buffer.from(template.render(values.map(value => value.toString('latin1'))), 'latin1') }
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map(array => Buffer.from(array))

const interleaved = (segments: readonly Buffer[], values: readonly Buffer[]): Buffer =>
  Buffer.concat(segments.flatMap((segment, index) => (index < values.length ? [segment, values[index]!] : [segment])))

t.test('what is rendered unpacks to the segments with the values between them', t => {
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes(400), bytes(60)), { maxLength: 4 }), bytes(400), (pairs, last) => {
      const segments = [...pairs.map(([segment]) => segment), last]
      const values = pairs.map(([, value]) => value)
      const template = gzipTemplate(segments)
      return (
        gunzipSync(template.render(values)).equals(interleaved(segments, values)) &&
        gunzipSync(template.render([...values].reverse())).equals(interleaved(segments, [...values].reverse()))
      )
    }),
    { numRuns: 500 }
  )
  t.end()
})

t.test('large repetitive text gets small, and one template renders many times', t => {
  const text = Buffer.from(
    JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ index, name: 'an entry like the others' })))
  )
  const segments = [text, Buffer.from('","id":"'), text]
  const template = gzipTemplate(segments)
  for (let count = 0; count < 50; count += 1) {
    const values = [Buffer.from(new Date(count).toISOString()), Buffer.from(`req_${count}`)]
    const packed = template.render(values)
    t.ok(gunzipSync(packed).equals(interleaved(segments, values)))
    t.ok(packed.length < text.length / 4)
  }
  t.end()
})

t.test('one member: nothing may follow it', t => {
  const packed = gzipTemplate([Buffer.from('a'), Buffer.from('b')]).render([Buffer.from('-')])
  t.equal(gunzipSync(packed).toString(), 'a-b')
  t.throws(() => gunzipSync(packed.subarray(0, -1)))
  const damaged = Buffer.from(packed)
  damaged[damaged.length - 8]! ^= 1
  t.throws(() => gunzipSync(damaged), { code: 'Z_DATA_ERROR' }, 'the checksum is checked')
  t.end()
})

t.test('values of the longest length, none at all, and one too long', t => {
  const template = gzipTemplate([Buffer.from('a'), Buffer.from('b')])
  const long = Buffer.alloc(65535, 'x')
  t.ok(gunzipSync(template.render([long])).equals(interleaved([Buffer.from('a'), Buffer.from('b')], [long])))
  t.equal(gunzipSync(template.render([Buffer.alloc(0)])).toString(), 'ab')
  t.equal(gunzipSync(gzipTemplate([Buffer.from('only')]).render([])).toString(), 'only')
  t.throws(() => template.render([Buffer.alloc(65536)]), RangeError)
  t.throws(() => template.render([]), RangeError)
  t.throws(() => template.render([long, long]), RangeError)
  t.end()
})
