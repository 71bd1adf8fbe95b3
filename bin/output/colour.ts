import type { Io } from './io.ts'

/**
 * Whether to use colour. By default only on terminals and without `NO_COLOR` (https://no-color.org). `FORCE_COLOR`
 * overrides both, as in Node.js: `0` and `false` mean no colour, any other value colour (https://force-color.org).
 * Empty variables count as unset.
 */
function isWanted(stream: NodeJS.WriteStream, env: Io['env']): boolean {
  const forced = env.FORCE_COLOR ?? ''
  return forced === '' ? stream.isTTY && (env.NO_COLOR ?? '') === '' : forced !== '0' && forced !== 'false'
}

const red = '31'
const yellow = '33'

/** Colours the severities in diagnostics if the stream supports colours. */
export function colourSeverity(text: string, stream: NodeJS.WriteStream, env: Io['env']): string {
  if (!isWanted(stream, env)) return text
  return text.replaceAll(
    /(?<=^\S+: )(error|warning)\[\w+\]/gm,
    mark => `\u001b[${mark.startsWith('error') ? red : yellow}m${mark}\u001b[0m`
  )
}
