/** `exports` of the project's package.json: for each name its source and what was compiled of it. */
export type Exports = Readonly<Record<string, Readonly<{ types: string; default: string }>>>

/** `exports` of the packed package.json: the same names, as files that were compiled beside it. */
export const packedExports = (own: Exports): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(own).map(([name, { types: source }]) => {
      const file = source.replace(/\.ts$/, '')
      return [name, { types: `${file}.d.ts`, default: `${file}.js` }]
    })
  ),
  './package.json': './package.json'
})
