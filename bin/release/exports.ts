/** `exports` of the project's package.json: the source and the compiled file of each entry point. */
export type Exports = Readonly<Record<string, Readonly<{ types: string; default: string }>>>

/** Returns `exports` for the packed package.json: the same entry points, with their compiled files and declarations. */
export const packedExports = (own: Exports): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(own).map(([name, { types: source }]) => {
      const file = source.replace(/\.ts$/, '')
      return [name, { types: `${file}.d.ts`, default: `${file}.js` }]
    })
  ),
  './package.json': './package.json'
})
