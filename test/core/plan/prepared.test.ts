import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { prepareBody } from '../../../core/plan/prepared.ts'
import type { Encoding } from '../../../core/plan/negotiate.ts'

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
