import type { Io } from './io.ts'

/**
 * Colour is for terminals alone, and never with `NO_COLOR` (https://no-color.org). `FORCE_COLOR` overrules both, as
 * Node.js does: `0` and `false` mean none, any other value means colour (https://force-color.org). Empty values are
 * none.
 */
function isWanted(stream: NodeJS.WriteStream, env: Io['env']): boolean {
  const forced = env.FORCE_COLOR ?? ''
  return forced === '' ? stream.isTTY && (env.NO_COLOR ?? '') === '' : forced !== '0' && forced !== 'false'
}

const red = '31'
const yellow = '33'

/** Diagnostics with the severity in colour where the stream shows colours. */
export function colourSeverity(text: string, stream: NodeJS.WriteStream, env: Io['env']): string {
  if (!isWanted(stream, env)) return text
  return text.replaceAll(
    /(?<=^\S+: )(error|warning)\[\w+\]/gm,
    mark => `\u001b[${mark.startsWith('error') ? red : yellow}m${mark}\u001b[0m`
  )
}
