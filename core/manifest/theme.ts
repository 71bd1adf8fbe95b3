import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import { closed, annotate } from './manifest.ts'

const Colour = annotate(
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
  'A colour in six digits and in quotes, such as `"#1d5a7a"`: without them, `#` begins a comment of YAML.'
)

const Picture = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]*\\.(svg|png)$' })

/** How the pages of a service look, beyond what the style sheets of its roots say. */
export const ThemeSchema = Type.Object(
  {
    accent: Type.Optional(
      annotate(
        Type.Object({ light: Colour, dark: Colour }, closed),
        'The colour of links and buttons, on light pages and on dark ones. No colour can be read on both.'
      )
    ),
    font: Type.Optional(
      annotate(
        Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._ -]*$' }), { minItems: 1, uniqueItems: true }),
        'Typefaces, the first choice first: names of fonts that readers may have, and files of `surfaces/assets` that end in `.woff2`.'
      )
    ),
    logo: Type.Optional(
      annotate(Picture, 'File of `surfaces/assets`, SVG or PNG, shown before the name of the service on each page.')
    ),
    icon: Type.Optional(
      annotate(Picture, 'File of `surfaces/assets`, SVG or PNG: the icon in the browser. Default `icon.svg`.')
    ),
    footer: Type.Optional(
      annotate(
        Type.Array(
          Type.Object(
            {
              label: Type.String({ minLength: 1, description: 'What the link says.' }),
              href: annotate(
                Type.String({ pattern: '^(/|/[^/\\s]\\S*|https?://[^/\\s]\\S*|mailto:\\S+)$' }),
                'A path of the service, an address that begins with `https://`, or a mailbox after `mailto:`.'
              )
            },
            closed
          ),
          { minItems: 1 }
        ),
        'Links at the end of each page, such as to the imprint.'
      )
    )
  },
  closed
)

export type Theme = Readonly<Static<typeof ThemeSchema>>

/** Whether an entry of `font` is a file, and not the name of a font that readers may have. */
export const isFontFile = (name: string): boolean => name.endsWith('.woff2')
