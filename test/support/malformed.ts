import type { Surface } from '../../core/manifest/surface.ts'

/** Whole numbers from a seed (mulberry32): the same seed gives the same numbers on every machine. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T
  }
}

/** Bytes to send as they are. */
export type RawRequest = Readonly<{ bytes: Buffer }>

type Field = readonly [name: string, value: string]

const text = (
  method: string,
  target: string,
  fields: readonly Field[],
  body: Buffer = Buffer.alloc(0),
  version = '1.1'
): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${target} HTTP/${version}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      'latin1'
    ),
    body
  ])

const usual: readonly Field[] = [
  ['Host', 'a'],
  ['Connection', 'close']
]

/** Raw pieces that a path segment or a query value should not hold, or rarely holds. */
export const oddities = [
  '%00',
  '%',
  '%2',
  '%zz',
  '%ff',
  '%C0%AF',
  '%ED%A0%80',
  '%2F',
  '%2e%2e',
  '..',
  '.',
  '%0d%0aX-Evil:%201',
  '%20',
  '+',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'NaN',
  'true',
  'null',
  '__proto__',
  'constructor',
  'toString',
  '%F0%9F%83%8F',
  '%EF%BF%BF',
  '%E2%80%AE',
  "'",
  '"',
  '<script>',
  '${7*7}',
  '{{7*7}}',
  "'%20or%201=1--",
  '*',
  '|',
  '\\',
  '^',
  '`',
  ';',
  ':',
  '@',
  '~',
  'a'.repeat(161),
  'a'.repeat(5000),
  '%41'.repeat(300),
  '%F0%9F%83%8F'.repeat(160)
] as const

export const fieldOddities: readonly Field[] = [
  ['Accept', ';;q=,,/,*'],
  ['Accept', 'text/html;q=2, */*;q=-1'],
  ['Accept', 'a'.repeat(4000)],
  ['Accept', ',,,,'],
  ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ['Accept-Encoding', 'gzip;q=9'],
  ['Accept-Encoding', 'br;q=0.001,,;gzip'],
  ['If-None-Match', '"'],
  ['If-None-Match', 'W/"unfinished'],
  ['If-None-Match', '*, "a"'],
  ['If-None-Match', `${'"a",'.repeat(1500)}"`],
  ['Range', 'bytes=5-1'],
  ['Expect', 'everything'],
  ['Host', 'b'],
  ['Host', 'a b'],
  ['Content-Length', '-1'],
  ['Content-Length', '5, 6'],
  ['Transfer-Encoding', 'gzip'],
  ['Upgrade', 'h2c'],
  ['TE', 'trailers'],
  ['Date', 'yesterday'],
  ['Connection', 'close, keep-alive, x'],
  ['Authorization', 'Bearer \u00ff\u00fe'],
  ['Cookie', '=;=;='],
  ['X-Forwarded-For', "'; drop"],
  ['X-Large', 'x'.repeat(17_000)],
  ['X-Control', '\u0001'],
  ['X NAME', '1']
]

/** The concrete path and query of a request that the surface's examples show, or that only fills its placeholders. */
const exampleTarget = ({ examples, route }: Surface): string =>
  examples[0]?.url ?? route.path.replace(/\{[^}]+\}/g, 'a')

/**
 * One request to a surface that reads no body, with one or two things wrong with its target, its query or its fields.
 */
export function malformedRead(surface: Surface, dice: Dice): RawRequest {
  const [path = '', search = ''] = exampleTarget(surface).split('?')
  const segments = path.split('/')
  const declared = Object.keys((surface.input.query as { properties?: Record<string, unknown> }).properties ?? {})
  const name = dice.of([...declared, ...declared, 'unknown', '__proto__', '%ff', ''])
  const odd = dice.of(oddities)
  const method = dice.of(['GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])
  const at = 1 + dice.below(segments.length - 1)
  const shapes: readonly (() => Buffer)[] = [
    () => text(method, segments.with(at, odd).join('/') + (search === '' ? '' : `?${search}`), usual),
    () => text(method, segments.with(-1, odd).join('/'), usual),
    () => text(method, `${path}${odd}`, usual),
    () => text(method, `${path}/${odd}`, usual),
    () => text('GET', `${path}?${name}=${odd}`, usual),
    () => text('GET', `${path}?${name}=${odd}`, usual),
    () => text('GET', `${path}?${name}=1&${name}=${odd}`, usual),
    () => text('GET', `${path}?${`${name}=${odd.slice(0, 20)}&`.repeat(101)}`, usual),
    () => text('GET', `${path}?${dice.of(['&&&', '=', '===', '?', '#', '&=&', '%', odd])}`, usual),
    () => text(method, path, [...usual, dice.of(fieldOddities)]),
    () => text(method, path, [...usual, dice.of(fieldOddities), dice.of(fieldOddities)]),
    () => text(method, path, [...usual, ...Array.from({ length: 120 }, (_, index): Field => [`X-${index}`, '1'])]),
    () =>
      text(
        method,
        dice.of([
          `http://a${path}`,
          `ftp://a${path}`,
          'a:80',
          '*',
          `//${path}`,
          `${path} x`,
          path.slice(1),
          `${path}\u00e9`,
          path.toUpperCase()
        ]),
        usual
      ),
    () =>
      text(
        dice.of(['GET', 'get', 'G\u00cbT', 'A'.repeat(100), '']),
        path,
        usual,
        undefined,
        dice.of(['1.0', '0.9', '2.0', '9.9', '1', 'x'])
      ),
    () => text('GET', path, [['Connection', 'close']]),
    () => text('GET', path, [...usual, ['Content-Length', '5']], Buffer.from('hello'))
  ]
  return { bytes: dice.of(shapes)() }
}

export const jsonOddities = [
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '9007199254740993',
  '[]',
  '{}',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"\\x"',
  '"\t"',
  'NaN',
  'undefined',
  "'a'",
  '//',
  '/**/1',
  '[1,]',
  '{"a":1,}',
  '{"a":1 "b":2}',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":1}',
  `"${'x'.repeat(3000)}"`,
  `"${'\u{1f0cf}'.repeat(400)}"`,
  '['.repeat(70) + ']'.repeat(70),
  '{"a":'.repeat(70) + '1' + '}'.repeat(70),
  '['.repeat(2000),
  '"\u202e"'
] as const

const badBytes = [
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]),
  Buffer.from([0]),
  Buffer.from([0xef, 0xbb, 0xbf])
] as const

const splice = (bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])

/** The example's body with something wrong in its bytes or its members. */
function malformedBody(good: Readonly<Record<string, unknown>>, limitBytes: number, dice: Dice): Buffer {
  const bytes = Buffer.from(JSON.stringify(good))
  const at = dice.below(bytes.length)
  const members = Object.entries(good).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
  const member = dice.below(members.length)
  const [name, value] = members[member] ?? ['', '']
  const written = (pairs: readonly (readonly [string, string])[]): Buffer =>
    Buffer.from(`{${pairs.map(([key, member]) => `${JSON.stringify(key)}:${member}`).join(',')}}`)
  const odd = dice.of(jsonOddities)
  const shapes: readonly (() => Buffer)[] = [
    () => splice(bytes, at, 1, Buffer.from([dice.below(256)])),
    () => splice(bytes, at, 1 + dice.below(4), Buffer.alloc(0)),
    () => splice(bytes, at, 0, dice.of(badBytes)),
    () => bytes.subarray(0, at),
    () => Buffer.concat([dice.of(badBytes), bytes]),
    () => Buffer.concat([bytes, Buffer.from(dice.of([' x', '{}', ',', '\0', 'null']))]),
    () => Buffer.from(odd),
    () => written(members.length === 0 ? [['unknown', odd]] : members.with(member, [name, odd])),
    () => written(members.filter((_, index) => index !== member)),
    () => written([...members, [name, value]]),
    () => written([...members, [dice.of(['unknown', '__proto__', 'constructor', '', ' ', `${name} `]), odd]]),
    () => Buffer.concat([bytes, Buffer.alloc(limitBytes + 1 - bytes.length + dice.below(1000), 32)])
  ]
  return dice.of(shapes)()
}

/** The example's fields with something wrong in their bytes or their names. */
function malformedForm(good: Buffer, limitBytes: number, dice: Dice): Buffer {
  const at = dice.below(good.length)
  const shapes: readonly (() => Buffer)[] = [
    () => splice(good, at, 1, Buffer.from([dice.below(256)])),
    () => splice(good, at, 0, dice.of(badBytes)),
    () => splice(good, at, 0, Buffer.from(dice.of(['%', '%zz', '%ff', '%00', '%ed%a0%80', '=', '&', '+']))),
    () => Buffer.concat([good, Buffer.from(`&${good.toString()}`)]),
    () => Buffer.concat([good, Buffer.from(dice.of(['&unknown=1', '&__proto__=1', '&constructor', '&=', ' x']))]),
    () => Buffer.from('a=1&'.repeat(101)),
    () => Buffer.from(dice.of(jsonOddities)),
    () => Buffer.concat([good, Buffer.alloc(limitBytes + 1 - good.length + dice.below(1000), 0x61)])
  ]
  return dice.of(shapes)()
}

/**
 * One request to a surface that reads a body, with something wrong in the body, its framing, or the fields that
 * describe it.
 */
export function malformedWrite(surface: Surface, dice: Dice): RawRequest {
  const method = surface.route.methods[0] ?? 'POST'
  const target = exampleTarget(surface)
  const { body: given, content } = surface.examples.find(({ expect }) => expect.status === 200) ?? {}
  const good = (given ?? {}) as Readonly<Record<string, unknown>>
  const whole = Buffer.from(content?.text ?? '{}')
  const { limitBytes = 0, isForm = false } = surface.input.body ?? {}
  const body = isForm ? malformedForm(whole, limitBytes, dice) : malformedBody(good, limitBytes, dice)
  const json: Field = ['Content-Type', content?.type ?? 'application/json']
  const length = (value: number | string): Field => ['Content-Length', String(value)]
  const chunks = (size: string, end: string): Buffer =>
    Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(end)])
  const send = (fields: readonly Field[], content: Buffer, version?: string): RawRequest => ({
    bytes: text(method, target, [...usual, ...fields], content, version)
  })
  const shapes: readonly (() => RawRequest)[] = [
    ...Array.from({ length: 12 }, () => () => send([json, length(body.length)], body)),
    () =>
      send(
        [
          [
            'Content-Type',
            dice.of([
              '',
              'text/plain',
              'application/json; charset=utf-16',
              'application/json, text/plain',
              'application/ld+json',
              'multipart/form-data',
              '\u00ff'
            ])
          ],
          length(whole.length)
        ],
        whole
      ),
    () =>
      send(
        [json, ['Content-Encoding', dice.of(['gzip', 'br', 'identity, gzip', '', 'x'])], length(whole.length)],
        whole
      ),
    () => send([json, length(whole.length + 1 + dice.below(50))], whole),
    () => send([json, length(dice.below(whole.length))], whole),
    () => send([json, length(whole.length), length(dice.of([whole.length, 3]))], whole),
    () => send([json, length(dice.of(['-1', '+5', '0x10', '1e3', '', '99999999999999999999', '5 5']))], whole),
    () =>
      send(
        [json, length(whole.length), ['Transfer-Encoding', 'chunked']],
        chunks(body.length.toString(16), '\r\n0\r\n\r\n')
      ),
    () => send([json, ['Transfer-Encoding', 'chunked']], chunks(body.length.toString(16), '\r\n0\r\n\r\n')),
    () =>
      send(
        [json, ['Transfer-Encoding', 'chunked']],
        chunks(
          dice.of(['zz', '-1', 'ffffffffffffffffff', '', `${body.length.toString(16)};${'x'.repeat(20_000)}`, '1']),
          '\r\n0\r\n\r\n'
        )
      ),
    () =>
      send(
        [json, ['Transfer-Encoding', 'chunked']],
        chunks(body.length.toString(16), dice.of(['', '\r\n', '0\r\n', '\r\n0\r\n', '\r\n0\r\nX: \0\r\n\r\n']))
      ),
    () =>
      send(
        [json, ['Transfer-Encoding', dice.of(['gzip', 'gzip, chunked', 'chunked, chunked', 'identity', 'xchunked'])]],
        chunks(body.length.toString(16), '\r\n0\r\n\r\n')
      ),
    () =>
      send(
        [json, ['Expect', dice.of(['100-continue', '100-Continue', '200-ok', ''])], length(body.length)],
        body,
        dice.of(['1.0', '1.1'])
      ),
    () => send([json, dice.of(fieldOddities), length(body.length)], body)
  ]
  return dice.of(shapes)()
}
