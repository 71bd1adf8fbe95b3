import { admitsEveryone, isOpen } from '../../access/index.ts'
import { formId, type ManifestFile } from '../../manifest/kind.ts'
import { parseTarget, type Target } from '../../manifest/paths.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { SourceFile } from '../../source/report.ts'
import type { FormManifest, PageManifest } from './manifest.ts'

/** Fields that a form may have of its own. */
const own = ['path', 'sends', 'access']

/** Fields that hold for the page alone; a form has all others from it. */
const ofPages = ['forms', 'aliases', 'menu', 'examples', 'cache'] as const

type Shared = Omit<PageManifest, (typeof ofPages)[number]>

const shared = (manifest: PageManifest): Shared =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !ofPages.some(one => one === name))) as Shared

const sourceOf = (source: SourceFile, name: string): SourceFile => ({
  ...source,
  locate: (pointer, on) => source.locate(own.includes(String(pointer[0])) ? ['forms', name, ...pointer] : pointer, on)
})

const rightsOf = ({ access, carriesPii, requiresConsent, freshness, license, sources, provenance }: Surface) => ({
  access: [...access],
  carries_pii: carriesPii,
  requires_consent: requiresConsent,
  freshness: freshness.key,
  license,
  sources: [...sources],
  provenance
})

/**
 * Who may send a form: whom both the page and the surface let in. The surface is asked as whoever sends the form, so
 * where no access kind is in both lists it refuses those whom the page alone lets in.
 */
function joinAccess({ access }: PageManifest, surface: Surface): string[] {
  const page = [access].flat()
  if (isOpen(surface.access)) return page
  if (admitsEveryone(page)) return [...surface.access]
  const both = surface.access.filter(kind => page.includes(kind))
  return both.length === 0 ? page : both
}

/**
 * The forms of a page as manifests of surfaces. A form has the rights of the surface that it sends to, and the page's
 * own where that is known only when it is sent. A stricter page, or `access`, makes it stricter.
 */
export function formsOf(
  page: ManifestFile<PageManifest>,
  surfaceAt: (target: Target) => Surface | undefined
): ManifestFile<FormManifest>[] {
  const { path: back, forms = {} } = page.manifest
  return Object.entries(forms).map(([name, { path = back, sends, access }]) => {
    const target = parseTarget(sends)
    const surface = target === undefined ? undefined : surfaceAt(target)
    return {
      ...page,
      id: formId(page.id, name),
      formOf: page.id,
      source: sourceOf(page.source, name),
      manifest: {
        ...shared(page.manifest),
        ...(surface === undefined ? {} : { ...rightsOf(surface), access: joinAccess(page.manifest, surface) }),
        ...(access === undefined ? {} : { access }),
        method: 'POST',
        path,
        name,
        sends,
        back
      }
    }
  })
}
